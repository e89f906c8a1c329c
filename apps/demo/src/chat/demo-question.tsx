import type { Agent, UserMessage } from '@offthread/core'
import type { ReactNode } from 'react'
import { readAttachedLine } from '../files/attached-line.ts'
import { AttachedFiles } from './attached-files.tsx'
import { Question } from './question.tsx'

interface DemoQuestionProps {
  readonly agent: Agent
  readonly message: UserMessage
}

/** What the user said, with the files that came along: the demo names each in a line of text. */
export function DemoQuestion({ agent, message }: DemoQuestionProps): ReactNode {
  const files = message.content.flatMap((part) =>
    part.type === 'text' ? (readAttachedLine(part.text) ?? []) : [],
  )
  return (
    <Question agent={agent} message={message} isAttached={isAttached}>
      <AttachedFiles files={files} />
    </Question>
  )
}

function isAttached(part: UserMessage['content'][number]): boolean {
  return part.type !== 'text' || readAttachedLine(part.text) !== undefined
}
