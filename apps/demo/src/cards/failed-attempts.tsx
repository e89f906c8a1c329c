import type { ToolCallView } from '@offthread/core'
import type { ReactNode } from 'react'
import { LongText } from '../text/long-text.tsx'
import { oneLine } from './call-summary.ts'

interface OfCall {
  readonly call: Pick<ToolCallView, 'failedAttempts' | 'toolName'>
}

const mostLines = 3

/** Why the last attempts that the agent repeated by itself failed, a line each. */
export function FailedAttempts({ call: { failedAttempts = [] } }: OfCall): ReactNode {
  if (failedAttempts.length === 0) return null
  return (
    <ul className="soft card-attempts" aria-label="Attempts that failed">
      {failedAttempts.slice(-mostLines).map(({ attempt, message }) => (
        <li key={attempt} className="cut">
          {oneLine(`Attempt ${attempt} failed: ${message}`)}
        </li>
      ))}
    </ul>
  )
}

/** Why all attempts failed that the agent repeated by itself, in full. */
export function FailedAttemptTexts({ call: { failedAttempts = [], toolName } }: OfCall): ReactNode {
  return failedAttempts.map(({ attempt, message }) => (
    <div key={attempt} className="column detail" data-detail={`attempt ${attempt}`}>
      <h4 className="soft detail-title">Attempt {attempt} failed</h4>
      <LongText className="error-text" text={message} name={toolName} />
    </div>
  ))
}
