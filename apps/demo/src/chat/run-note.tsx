import type { ChatMessage, RunEnd, RunErrorKind } from '@offthread/core'
import { formatElapsed } from '@offthread/react'
import type { ReactNode } from 'react'
import { NewChatLink } from '../chats/new-chat-link.tsx'
import { useSession } from '../session.ts'
import { sentenceFor } from '../text/error-text.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { focusComposer } from './focus-composer.ts'

interface RunNoteProps {
  readonly end: RunEnd | undefined
  /** The message before it, after which the run ended. */
  readonly message: ChatMessage
  /** Continues the run. Given only after the last message, and if the run can be continued. */
  readonly onRetry: (() => void) | undefined
}

/** Says how a run ended, if it did not end normally. */
export function RunNote({ end, message, onRetry }: RunNoteProps): ReactNode {
  if (!end) return null
  if (end.reason === 'error') return <RunFailure end={end} onRetry={onRetry} />
  // A fork ends before the end of the run, and so may a page: an answer that is there whole lacks nothing.
  const isWhole = message.role === 'assistant' && message.stopReason === 'stop'
  if (end.reason === 'interrupted' && isWhole && !onRetry) return null
  const words = wordsFor(end)
  if (!words) return null
  return (
    <p className="quiet run-note">
      {words}{' '}
      {onRetry && waysOn[end.reason] && (
        <Button
          onClick={() => {
            focusComposer()
            onRetry()
          }}
        >
          {waysOn[end.reason]}
        </Button>
      )}
    </p>
  )
}

function RunFailure({ end, onRetry }: Pick<RunNoteProps, 'end' | 'onRetry'>): ReactNode {
  const { models } = useSession()
  const error = end?.error
  const isAboutModel = error !== undefined && !unsolvedInMenu.has(error.kind)
  return (
    <div className="row run-error">
      <Icon name="alert" />
      <div>
        <p className="run-error-title">The answer failed</p>
        <p>{error ? sentenceFor(error) : 'There are no details.'}</p>
      </div>
      {onRetry && (
        <div className="wrap run-error-actions">
          {isAboutModel && (
            <Button onClick={models.openMenu}>
              {error.kind === 'auth' ? 'Enter the key' : 'Change the model'}
            </Button>
          )}
          {error?.kind === 'context_overflow' && <NewChatLink />}
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
    </div>
  )
}

/** Errors that no other key, address or model solves. */
const unsolvedInMenu: ReadonlySet<RunErrorKind> = new Set<RunErrorKind>([
  'stalled',
  'too_large',
  'truncated_stream',
  'refusal',
  'storage',
  'internal',
])

const waysOn: Partial<Readonly<Record<RunEnd['reason'], string>>> = {
  interrupted: 'Resume',
  aborted: 'Continue',
  max_turns: 'Continue',
}

function wordsFor({ reason, turns, durationMs }: RunEnd): string | undefined {
  const after = formatElapsed(durationMs)
  switch (reason) {
    case 'aborted':
      return `Stopped after ${after}.`
    case 'max_turns':
      return `Ended after ${turns} steps, the most for one question.`
    case 'loop_detected':
      return `Ended after ${turns} steps: the same call was made again and again.`
    case 'interrupted':
      return 'Interrupted.'
    case 'refusal':
      return 'The model declined to answer.'
    default:
      return undefined
  }
}
