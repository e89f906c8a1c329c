import { type ComponentProps, type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'

interface FileButtonProps extends ComponentProps<'button'> {
  readonly input: ComponentProps<'input'>
  readonly onFiles: (files: readonly File[]) => void
}

/** A button that lets the user choose files. */
export function FileButton({ input, onFiles, ...button }: FileButtonProps): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...button} onClick={() => field.current?.click()} />
      <input
        {...input}
        ref={field}
        className="visually-hidden"
        type="file"
        tabIndex={-1}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // Lets the user pick the same file again.
          target.value = ''
        }}
      />
    </>
  )
}
