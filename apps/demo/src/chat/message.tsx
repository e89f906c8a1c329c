import type { AssistantMessage, ChatMessage, UserMessage } from '@offthread/core'
import { memo, type ReactNode, useId } from 'react'
import { ToolGroup } from '../cards/tool-group.tsx'
import { useAsking } from '../cards/use-asking.ts'
import { readAttachedLine } from '../files/attached-line.ts'
import { FileChip } from '../files/file-chip.tsx'
import { Markdown, type MarkdownProps } from '../markdown/markdown.tsx'
import { reportRender } from '../render-report.ts'
import { LongText, PlainText } from '../text/long-text.tsx'
import { Guard } from '../ui/guard.tsx'
import { useSome } from '../ui/use-some.tsx'
import { Questions } from './questions.tsx'
import { type Segment, toSegments } from './segments.ts'

interface MessageProps {
  readonly message: ChatMessage
  readonly onToggle: () => void
}

/** One message. It renders only when the message itself changes. */
export const Message = memo(function Message({ message, onToggle }: MessageProps): ReactNode {
  reportRender('message', message.id)
  return (
    <Guard fallback={<MessageAsWritten message={message} />}>
      <MessageView message={message} onToggle={onToggle} />
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

function MessageView({ message, onToggle }: MessageProps): ReactNode {
  switch (message.role) {
    case 'user':
      return <UserTurn message={message} />
    case 'assistant':
      return <Answer message={message} onToggle={onToggle} />
    case 'system':
      return null
  }
}

function UserTurn({ message }: { readonly message: UserMessage }): ReactNode {
  const heading = useId()
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const files = texts.flatMap((text) => readAttachedLine(text) ?? [])
  const typed = texts.filter((text) => !readAttachedLine(text)).join('\n')
  return (
    <article className="message message-user" aria-labelledby={heading}>
      <h3 className="visually-hidden" id={heading}>
        You
      </h3>
      {typed && <PlainText className="bubble" text={typed} name="question" />}
      {files.length > 0 && (
        <ul className="file-chips" aria-label="Attached files">
          {files.map(({ name, bytes }) => (
            <FileChip key={name} name={name} bytes={bytes} />
          ))}
        </ul>
      )}
    </article>
  )
}

interface AnswerProps extends MessageProps {
  readonly message: AssistantMessage
}

function Answer({ message, onToggle }: AnswerProps): ReactNode {
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
    >
      <h3 className="visually-hidden" id={heading}>
        Offthread
      </h3>
      {some.map((segment, index) => (
        <SegmentView
          key={segment.at}
          segment={segment}
          streaming={streaming && index === segments.length - 1}
          onToggle={onToggle}
        />
      ))}
      {more}
    </article>
  )
}

function idsIn(segment: Segment): readonly string[] {
  return segment.kind === 'calls' ? segment.ids : []
}

interface SegmentViewProps extends Pick<MessageProps, 'onToggle'> {
  readonly segment: Segment
  readonly streaming: boolean
}

function SegmentView({ segment, streaming, onToggle }: SegmentViewProps): ReactNode {
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
      return <ToolGroup ids={segment.ids} onToggle={onToggle} />
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
