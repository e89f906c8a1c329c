import type { Agent, AssistantMessage } from '@offthread/core'
import { type MessagePart, partsOf } from '@offthread/react/message'
import { type ReactNode, useId } from 'react'
import { ToolGroup } from '../cards/tool-group.tsx'
import { useAsking } from '../cards/use-asking.ts'
import { PlainText } from '../text/long-text.tsx'
import { useSome } from '../ui/use-some.tsx'

export interface AnswerProps {
  readonly agent: Agent
  readonly message: AssistantMessage
  /** Who answers, for assistive technology. */
  readonly name: string
  /** Shows a text, which grows while it streams. */
  readonly renderText: (text: string, streaming: boolean) => ReactNode
  /** Makes the card of a call. The same function each time. */
  readonly renderCard: (toolCallId: string) => ReactNode
  /** Whether it is shown in a replay: no clock runs. */
  readonly isReplay?: boolean
}

/** What a model says, thinks and calls, in order. Of many parts the first are shown, and those that ask. */
export function Answer({ message, name, ...shown }: AnswerProps): ReactNode {
  const heading = useId()
  const parts = partsOf(message)
  const streaming = message.stopReason === undefined
  const asking = useAsking(shown.agent, parts.flatMap(idsIn))
  const { some, more } = useSome(parts, 'part', (part) => idsIn(part).some((id) => asking.has(id)))
  return (
    <article
      className="message message-assistant"
      aria-labelledby={heading}
      data-streaming={streaming}
      // A shortcut moves the focus here.
      tabIndex={-1}
    >
      <h3 className="visually-hidden" id={heading}>
        {name}
      </h3>
      {some.map((part, index) => (
        <AnswerPart
          key={part.at}
          {...shown}
          part={part}
          streaming={streaming && index === parts.length - 1}
        />
      ))}
      {more}
      <Lack message={message} isEmpty={parts.length === 0} />
    </article>
  )
}

interface LackProps extends Pick<AnswerProps, 'message'> {
  readonly isEmpty: boolean
}

/** What is missing from an answer that otherwise looks whole. */
function Lack({ message: { stopReason }, isEmpty }: LackProps): ReactNode {
  const words =
    (stopReason && cutOff[stopReason]) ||
    (stopReason === 'stop' && isEmpty ? 'The model answered nothing.' : undefined)
  return words === undefined ? null : <p className="quiet run-note">{words}</p>
}

const cutOff: Partial<Readonly<Record<NonNullable<AssistantMessage['stopReason']>, string>>> = {
  max_tokens: 'The answer was cut off at the length that the model may write.',
  context_overflow:
    'The answer was cut off: the conversation fills the model. A new chat has room again.',
}

function idsIn(part: MessagePart): readonly string[] {
  return part.kind === 'calls' ? part.toolCallIds : []
}

interface AnswerPartProps extends Omit<AnswerProps, 'message' | 'name'> {
  readonly part: MessagePart
  readonly streaming: boolean
}

function AnswerPart({ part, streaming, renderText, ...group }: AnswerPartProps): ReactNode {
  switch (part.kind) {
    case 'text':
      return renderText(part.text, streaming)
    case 'thinking':
      return <Thinking text={part.text} streaming={streaming} />
    case 'calls':
      return <ToolGroup {...group} ids={part.toolCallIds} />
    // No model gives files yet.
    case 'file':
      return null
    case 'opaque':
      return <p className="quiet">The model used a tool of its own.</p>
  }
}

interface ThinkingProps {
  readonly text: string
  readonly streaming: boolean
}

/** The thinking of a model, collapsed: it is not the answer. */
function Thinking({ text, streaming }: ThinkingProps): ReactNode {
  return (
    <details className="quiet thinking">
      <summary>{streaming ? 'Thinking…' : 'Thinking'}</summary>
      <PlainText
        text={text || 'The provider does not show it.'}
        name="thinking"
        className="thinking-text"
      />
    </details>
  )
}
