import type { AssistantMessage, ChatMessage } from '@offthread/core'
import { memo, type ReactNode, useId } from 'react'
import { ToolGroup } from '../cards/tool-group.tsx'
import { useAsking } from '../cards/use-asking.ts'
import { Markdown, type MarkdownProps } from '../markdown/markdown.tsx'
import { reportRender } from '../render-report.ts'
import { LongText, PlainText } from '../text/long-text.tsx'
import { Guard } from '../ui/guard.tsx'
import { useSome } from '../ui/use-some.tsx'
import { Question } from './question.tsx'
import { Questions } from './questions.tsx'
import { type Segment, toSegments } from './segments.ts'

interface MessageProps {
  readonly message: ChatMessage
}

/** One message. It renders only when the message itself changes. */
export const Message = memo(function Message({ message }: MessageProps): ReactNode {
  reportRender('message', message.id)
  return (
    <Guard fallback={<MessageAsWritten message={message} />}>
      <MessageView message={message} />
    </Guard>
  )
})

/** For a message that cannot be drawn. */
function MessageAsWritten({ message }: { readonly message: ChatMessage }): ReactNode {
  const texts = message.content.map((part) =>
    part.type === 'text' ? part.text : JSON.stringify(part),
  )
  return <LongText text={texts.join('\n\n')} name="message" />
}

function MessageView({ message }: MessageProps): ReactNode {
  switch (message.role) {
    case 'user':
      return <Question message={message} />
    case 'assistant':
      return <Answer message={message} />
    case 'system':
      return null
  }
}

interface AnswerProps {
  readonly message: AssistantMessage
}

function Answer({ message }: AnswerProps): ReactNode {
  const heading = useId()
  const segments = toSegments(message.content)
  const streaming = message.stopReason === undefined
  const asking = useAsking(segments.flatMap(idsIn))
  const { some, more } = useSome(segments, 'part', (segment) =>
    idsIn(segment).some((id) => asking.has(id)),
  )
  return (
    <article
      className="message message-assistant"
      aria-labelledby={heading}
      data-streaming={streaming}
      // Alt + R leads here.
      tabIndex={-1}
    >
      <h3 className="visually-hidden" id={heading}>
        Offthread
      </h3>
      {some.map((segment, index) => (
        <SegmentView
          key={segment.at}
          segment={segment}
          streaming={streaming && index === segments.length - 1}
        />
      ))}
      {more}
    </article>
  )
}

function idsIn(segment: Segment): readonly string[] {
  return segment.kind === 'calls' ? segment.toolCallIds : []
}

interface SegmentViewProps {
  readonly segment: Segment
  readonly streaming: boolean
}

function SegmentView({ segment, streaming }: SegmentViewProps): ReactNode {
  switch (segment.kind) {
    case 'text':
      return (
        <>
          <Markdown text={segment.text} streaming={streaming} />
          {segment.questions.length > 0 && <Questions questions={segment.questions} />}
        </>
      )
    case 'thinking':
      return <Thinking text={segment.text} streaming={streaming} />
    case 'calls':
      return <ToolGroup ids={segment.toolCallIds} />
    // Models give none yet.
    case 'file':
      return null
    case 'opaque':
      return <p className="quiet">The model used a tool of its own.</p>
  }
}

/** The thinking of a model, collapsed: it is not the answer. */
function Thinking({ text, streaming }: MarkdownProps): ReactNode {
  return (
    <details className="thinking">
      <summary>{streaming ? 'Thinking…' : 'Thinking'}</summary>
      <PlainText
        text={text || 'The provider does not show it.'}
        name="thinking"
        className="thinking-text"
      />
    </details>
  )
}
