import type { ChatMessage } from '@offthread/core'
import { useAgent } from '@offthread/react'
import { useStickToBottom } from '@offthread/react/stick-to-bottom'
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
import { ScrollBox } from '../ui/scroll-box.tsx'
import { Message } from './message.tsx'
import { RunNote } from './run-note.tsx'
import { lastTurns } from './turn-window.ts'
import { Welcome } from './welcome.tsx'

const turnsAtOnce = 30

export function Conversation(): ReactNode {
  const { agent, tryAgain } = useSession()
  const { messages, runs, isActive, can } = useAgent(agent)
  const { scroller, content, isDetached, toEnd, hold } = useStickToBottom<HTMLElement>()
  const [turns, setTurns] = useState(turnsAtOnce)
  const { start, hidden } = lastTurns(messages, turns)
  useGoToNewQuestion(messages, toEnd)
  const keepPlace = useKeptPlace(scroller)
  return (
    <div className="conversation-frame">
      <ScrollBox
        ref={scroller}
        className="conversation"
        role="log"
        aria-label="Conversation"
        aria-live="off"
        aria-busy={isActive}
      >
        <div className="conversation-column" ref={content}>
          {messages.length === 0 ? <Welcome /> : <h2 className="visually-hidden">Conversation</h2>}
          {hidden > 0 && (
            <button
              type="button"
              className="show-earlier"
              onClick={() => {
                keepPlace()
                setTurns(turns + turnsAtOnce)
              }}
            >
              Show earlier ({counted(hidden, 'turn')})
            </button>
          )}
          {messages.slice(start).map((message) => (
            <Fragment key={message.id}>
              <Message message={message} onToggle={hold} />
              <RunNote
                end={runs.get(message.id)}
                onRetry={message === messages.at(-1) && can.continue ? tryAgain : undefined}
              />
            </Fragment>
          ))}
        </div>
      </ScrollBox>
      {isDetached && messages.length > 0 && (
        <button type="button" className="jump" onClick={toEnd}>
          <Icon name="down" />
          Jump to latest
        </button>
      )}
    </div>
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
