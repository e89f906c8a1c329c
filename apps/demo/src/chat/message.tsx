import type { Agent, ChatMessage, Part, UserMessage } from '@offthread/core'
import { memo, type ReactNode } from 'react'
import { DemoCard } from '../cards/demo-card.tsx'
import { filesIn } from '../files/attached-line.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { reportRender } from '../render-report.ts'
import { useSession } from '../session.ts'
import { LongText } from '../text/long-text.tsx'
import { Guard } from '../ui/guard.tsx'
import { Answer } from './answer.tsx'
import { AttachedFiles } from './attached-files.tsx'
import { Question } from './question.tsx'
import { Questions } from './questions.tsx'
import { readQuestions } from './read-questions.ts'

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

/** Plain text in place of a message that fails to render. */
function MessageAsWritten({ message }: { readonly message: ChatMessage }): ReactNode {
  const texts = message.content.map((part) =>
    part.type === 'text' ? part.text : JSON.stringify(part),
  )
  return <LongText text={texts.join('\n\n')} name="message" />
}

function MessageView({ message }: MessageProps): ReactNode {
  const { agent, isReplay } = useSession()
  switch (message.role) {
    case 'user':
      return <DemoQuestion agent={agent} message={message} />
    case 'assistant':
      return (
        <Answer
          agent={agent}
          message={message}
          name="Offthread"
          renderText={renderText}
          renderCard={renderCard}
          isReplay={isReplay}
        />
      )
    case 'system':
      return null
  }
}

/** Made once, so that a group of calls renders only for other calls. */
function renderCard(toolCallId: string): ReactNode {
  return <DemoCard toolCallId={toolCallId} />
}

function renderText(whole: string, streaming: boolean): ReactNode {
  const { text, questions } = readQuestions(whole, streaming)
  return (
    <>
      <Markdown text={text} streaming={streaming} />
      {questions.length > 0 && <Questions questions={questions} />}
    </>
  )
}

interface DemoQuestionProps {
  readonly agent: Agent
  readonly message: UserMessage
}

/** What the user said, with the files that came along: the demo names each in a line of text. */
function DemoQuestion({ agent, message }: DemoQuestionProps): ReactNode {
  return (
    <Question agent={agent} message={message} isAttached={isAttached}>
      <AttachedFiles files={filesIn(message.content)} />
    </Question>
  )
}

function isAttached(part: Part): boolean {
  return part.type !== 'text' || filesIn([part]).length > 0
}
