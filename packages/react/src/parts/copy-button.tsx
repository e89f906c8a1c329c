/** @jsxImportSource react */
import { forwardRef, useEffect, useState } from 'react'
import { after, Button, type ButtonPart, type ButtonProps } from './part.tsx'

const shownMs = 2000

/** The props of a button that copies a text. */
export interface CopyTextProps extends ButtonProps {
  /** What is copied. */
  readonly text: () => string
}

/**
 * Copies a text, anywhere on the page. For two seconds `data-state` is `copied`, or `failed` where the browser refuses.
 */
export const CopyButton: ButtonPart<CopyTextProps> = forwardRef<HTMLButtonElement, CopyTextProps>(
  function CopyButton({ text, onClick, ...props }, ref) {
    const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
    useEffect(() => {
      if (state === 'idle') return undefined
      const timer = setTimeout(() => setState('idle'), shownMs)
      return () => clearTimeout(timer)
    }, [state])
    const copy = (): void => {
      write(text()).then(
        () => setState('copied'),
        () => setState('failed'),
      )
    }
    return <Button {...props} ref={ref} data-state={state} onClick={after(onClick, copy)} />
  },
)

// A page without encryption has no clipboard, which is reported as a failure.
async function write(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}
