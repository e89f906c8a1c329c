import type { ChatMessage } from '@offthread/core'
import { useAgent } from '@offthread/react'
import * as Thread from '@offthread/react/thread'
import {
  Fragment,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useSession } from '../session.ts'
import { counted } from '../text/quantity.ts'
import { Icon } from '../ui/icon.tsx'
import { AnswerActions } from './answer-actions.tsx'
import { answerUpTo, lastExchanges } from './exchanges.ts'
import { conversationId, focusComposer } from './focus-composer.ts'
import { ForkButton } from './fork-button.tsx'
import { Message } from './message.tsx'
import { RunNote } from './run-note.tsx'
import { Welcome } from './welcome.tsx'

const exchangesAtOnce = 30

export function Conversation(): ReactNode {
  const { agent, tryAgain } = useSession()
  const { scroller, toEnd } = Thread.useThread()
  const { messages, runs, isActive, can } = useAgent(agent)
  const [shown, setShown] = useState(exchangesAtOnce)
  const { start, hidden } = lastExchanges(messages, shown)
  useGoToNewQuestion(messages, toEnd)
  const keepPlace = useKeptPlace(scroller)
  return (
    <Thread.Viewport
      id={conversationId}
      className="conversation"
      contentClassName="conversation-column"
    >
      {messages.length === 0 ? <Welcome /> : <h2 className="visually-hidden">Conversation</h2>}
      {hidden > 0 && (
        <button
          type="button"
          className="show-earlier"
          onClick={() => {
            keepPlace()
            setShown(shown + exchangesAtOnce)
          }}
        >
          Show earlier ({counted(hidden, 'question')})
        </button>
      )}
      {messages.slice(start).map((message, index) => {
        const at = start + index
        const isLast = at === messages.length - 1
        const answer = isLast && isActive ? null : answerUpTo(messages, at)
        return (
          // Versions of a message share their parent, so the picker keeps the focus.
          <Fragment key={message.parentId ?? 'first'}>
            <Message message={message} />
            <RunNote
              end={runs.get(message.id)}
              onRetry={isLast && can.continue ? tryAgain : undefined}
            />
            {answer && (
              <AnswerActions agent={agent} {...answer} isLast={isLast} More={ForkButton} />
            )}
          </Fragment>
        )
      })}
    </Thread.Viewport>
  )
}

/** A way back to the end. It stands above the composer, where it covers nothing. */
export function JumpToLatest(): ReactNode {
  return (
    <Thread.JumpToLatest className="jump" onClick={focusComposer}>
      <Icon name="down" />
      <JumpWords />
    </Thread.JumpToLatest>
  )
}

/** What has come since the reader left the end. */
function JumpWords(): ReactNode {
  const { added, failed } = Thread.useMissed()
  if (added === 0) return 'Jump to latest'
  return (
    <span>
      <span className="visually-hidden">Jump to latest: </span>
      {added} new{failed > 0 && ` · ${failed} failed`}
    </span>
  )
}

function useGoToNewQuestion(messages: readonly ChatMessage[], toEnd: () => void): void {
  const question = messages.findLast(({ role }) => role === 'user')?.id
  useEffect(() => {
    if (question !== undefined) toEnd()
  }, [question, toEnd])
}

/** Keeps the view in place when earlier messages are mounted above it. */
function useKeptPlace(scroller: RefObject<HTMLElement | null>): () => void {
  const fromEnd = useRef<number>(null)
  useLayoutEffect(() => {
    if (scroller.current && fromEnd.current !== null) {
      scroller.current.scrollTop = scroller.current.scrollHeight - fromEnd.current
    }
    fromEnd.current = null
  })
  return () => {
    const { current } = scroller
    if (current) fromEnd.current = current.scrollHeight - current.scrollTop
  }
}
