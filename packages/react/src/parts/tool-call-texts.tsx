/** @jsxImportSource react */
import { textOf } from '@offthread/core'
import { type ComponentPropsWithoutRef, forwardRef } from 'react'
import type { ToolCallCard } from '../tool-call-card.ts'
import { CopyButton } from './copy-button.tsx'
import type { ButtonPart, ButtonProps, ElementPart } from './part.tsx'
import { useRoot } from './root-context.ts'
import { toolCallRoot } from './tool-call-root.ts'

/** The props of a part that is a text. */
export type TextProps = ComponentPropsWithoutRef<'pre'>
/** A part that is a text. */
export type TextPart = ElementPart<TextProps, HTMLPreElement>

/** The arguments, as JSON. Of a call that waits for approval, exactly those that would be used. */
export const Args: TextPart = forwardRef<HTMLPreElement, TextProps>(function Args(props, ref) {
  return <CallText {...props} ref={ref} text={argsOf(useRoot(toolCallRoot).call)} />
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
  return lines.length > 0 ? <CallText {...props} ref={ref} text={text.join('\n')} /> : null
})

const mostChars = 20_000

/** A text, cut to a length that a page can lay out at once. */
const CallText: ElementPart<TextProps & { readonly text: string }, HTMLPreElement> = forwardRef<
  HTMLPreElement,
  TextProps & { readonly text: string }
>(function CallText({ text, ...props }, ref) {
  const left = text.length - mostChars
  return (
    <pre {...props} ref={ref}>
      {text.slice(0, mostChars)}
      {left > 0 && `… ${left} more characters`}
    </pre>
  )
})

function argsOf({ approval, args, argsText }: ToolCallCard): string {
  const value = approval?.args ?? args
  return value === undefined || typeof value === 'string'
    ? argsText
    : JSON.stringify(value, null, 2)
}

/** Copies the arguments. For two seconds `data-state` is `copied`, or `failed`. */
export const CopyArgs: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(
  function CopyArgs(props, ref) {
    const { call } = useRoot(toolCallRoot)
    return <CopyButton {...props} ref={ref} text={() => argsOf(call)} />
  },
)

/** Copies the text of the result, or why there is none. It is there once the call has ended. */
export const CopyResult: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(
  function CopyResult(props, ref) {
    const { result } = useRoot(toolCallRoot).call
    return result ? <CopyButton {...props} ref={ref} text={() => textOf(result.content)} /> : null
  },
)
