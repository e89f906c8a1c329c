/** @jsxImportSource react */
import { textOf } from '@offthread/core'
import { type ComponentPropsWithoutRef, forwardRef, useMemo } from 'react'
import { CopyButton } from './copy-button.tsx'
import type { ButtonPart, ButtonProps, ElementPart } from './part.tsx'
import { useRoot } from './root-context.ts'
import { shownEnd, shownText } from './shown-text.ts'
import { toolCallRoot } from './tool-call-root.ts'

/** The props of a part that is a text. */
export type TextProps = ComponentPropsWithoutRef<'pre'>
/** A part that is a text. */
export type TextPart = ElementPart<TextProps, HTMLPreElement>

/** The arguments, as JSON. For a call that waits for approval, exactly those that it would run with. */
export const Args: TextPart = forwardRef<HTMLPreElement, TextProps>(function Args(props, ref) {
  const { approval, args, argsText } = useRoot(toolCallRoot).call
  const value = approval?.args ?? args
  // Made once, because a text of megabytes must not be written again for each change of the call.
  const text = useMemo(() => textOfArgs(value, argsText), [value, argsText])
  return <CallText {...props} ref={ref} text={text} />
})

/** The text of the result, once there is one: an empty one, too. */
export const Result: TextPart = forwardRef<HTMLPreElement, TextProps>(function Result(props, ref) {
  const { result, isError } = useRoot(toolCallRoot).call
  return result && !isError ? <CallText {...props} ref={ref} text={textOf(result.content)} /> : null
})

/** What the model read of a call that did not succeed. */
export const ErrorText: TextPart = forwardRef<HTMLPreElement, TextProps>(
  function ErrorText(props, ref) {
    const { result, isError } = useRoot(toolCallRoot).call
    return result && isError ? (
      <CallText {...props} ref={ref} text={textOf(result.content)} />
    ) : null
  },
)

/** The last lines that the call wrote. */
export const Logs: TextPart = forwardRef<HTMLPreElement, TextProps>(function Logs(props, ref) {
  const { lines } = useRoot(toolCallRoot).call.logs
  const text = lines.slice(-200).map((line) => line.text)
  return lines.length > 0 ? <CallText {...props} ref={ref} text={shownEnd(text)} /> : null
})

/** A text as a page can show it: bounded, and without characters that only deceive. */
const CallText: ElementPart<TextProps & { readonly text: string }, HTMLPreElement> = forwardRef<
  HTMLPreElement,
  TextProps & { readonly text: string }
>(function CallText({ text, ...props }, ref) {
  return (
    <pre {...props} ref={ref}>
      {shownText(text)}
    </pre>
  )
})

const longest = 100_000

/** JSON with line breaks. Large arguments go without them, which takes much less time. */
function textOfArgs(value: unknown, argsText: string): string {
  if (value === undefined || typeof value === 'string') return argsText
  return JSON.stringify(value, null, argsText.length > longest ? 0 : 2)
}

/** Copies the arguments. For two seconds `data-state` is `copied`, or `failed`. */
export const CopyArgs: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(
  function CopyArgs(props, ref) {
    const { approval, args, argsText } = useRoot(toolCallRoot).call
    return (
      <CopyButton {...props} ref={ref} text={() => textOfArgs(approval?.args ?? args, argsText)} />
    )
  },
)

/** Copies the text of the result, or why there is none. It is there once the call has ended. */
export const CopyResult: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(
  function CopyResult(props, ref) {
    const { result } = useRoot(toolCallRoot).call
    return result ? <CopyButton {...props} ref={ref} text={() => textOf(result.content)} /> : null
  },
)
