import type { ChatMessage } from '@offthread/core'
import { useAgent } from '@offthread/react'
import * as Thread from '@offthread/react/thread'
import {
  Fragment,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useSession } from '../session.ts'
import { counted } from '../text/quantity.ts'
import { Icon } from '../ui/icon.tsx'
import { MoreButton } from '../ui/more-button.tsx'
import { AnswerActions } from './answer-actions.tsx'
import { answerUpTo, exchangesFrom, lastExchanges } from './exchanges.ts'
import { conversationId, focusComposer } from './focus-composer.ts'
import { ForkButton } from './fork-button.tsx'
import { keepPlace, keptPlace, type Place, placeIn, scrollToPlace } from './kept-place.ts'
import { Message } from './message.tsx'
import { RunNote } from './run-note.tsx'
import { useSteps } from './use-steps.ts'
import { Welcome } from './welcome.tsx'

const exchangesAtOnce = 30

export function Conversation(): ReactNode {
  const { agent, tryAgain } = useSession()
  const { scroller } = Thread.useThread()
  const { messages, runs, isActive, can } = useAgent(agent)
  const [shown, setShown] = useState(exchangesAtOnce)
  const { start: first, hidden } = lastExchanges(messages, shown)
  const holdPlace = useHeldPlace(scroller)
  const start = useSteps(messages, first, holdPlace)
  const mounted = messages.slice(start)
  usePlace({ messages, mounted, isWhole: start === first, onShow: setShown })
  return (
    <Thread.Viewport
      id={conversationId}
      className="conversation"
      contentClassName="conversation-column"
    >
      {messages.length === 0 ? <Welcome /> : <h2 className="visually-hidden">Conversation</h2>}
      {hidden > 0 && (
        <>
          <p className="quiet printed-only">Not printed: {counted(hidden, 'earlier question')}.</p>
          <MoreButton
            className="soft show-earlier"
            onGone={focusFirstMessage}
            onClick={() => {
              holdPlace()
              setShown(shown + exchangesAtOnce)
            }}
          >
            Show earlier ({counted(hidden, 'question')})
          </MoreButton>
        </>
      )}
      {mounted.map((message, index) => {
        const at = start + index
        const isLast = at === messages.length - 1
        const answer = isLast && isActive ? null : answerUpTo(messages, at)
        return (
          // Versions of a message share their parent, so the picker keeps the focus.
          <Fragment key={message.parentId ?? 'first'}>
            <Message message={message} />
            <RunNote
              end={runs.get(message.id)}
              message={message}
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

/** What is new stands before it, and what the reader looks at stays where it is. */
function focusFirstMessage(): void {
  document.querySelector<HTMLElement>('.message')?.focus({ preventScroll: true })
}

/** A way back to the end. It stands above the composer, where it covers nothing. */
export function JumpToLatest(): ReactNode {
  return (
    <Thread.JumpToLatest className="row small jump" onClick={focusComposer}>
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

interface Shown {
  readonly messages: readonly ChatMessage[]
  readonly mounted: readonly ChatMessage[]
  /** Whether all that are shown are mounted. */
  readonly isWhole: boolean
  /** Called if more exchanges have to be mounted. */
  readonly onShow: (exchanges: number) => void
}

/** In a chat that was left in this tab, goes to where its reader was. The thread went to the last question before. */
function usePlace({ messages, mounted, isWhole, onShow }: Shown): void {
  const { kept } = useSession()
  const { scroller } = Thread.useThread()
  const wanted = useRef(kept ? keptPlace(kept.sessionId) : null)
  useEffect(() => {
    const { current: place } = wanted
    if (!place || messages.length === 0 || !isWhole) return
    const exchanges = exchangesFrom(messages, place.messageId)
    if (exchanges > exchangesFrom(mounted, mounted[0]?.id)) return onShow(exchanges)
    wanted.current = null
    if (scroller.current) scrollToPlace(scroller.current, idsOf(mounted), place)
  })
  useKeepPlace(mounted, wanted)
}

/** Keeps where the reader is when the page is left, unless that was not reached yet. */
function useKeepPlace(mounted: readonly ChatMessage[], wanted: RefObject<Place | null>): void {
  const { kept, isReplay } = useSession()
  const { scroller } = Thread.useThread()
  useEffect(() => {
    if (!kept || isReplay) return
    const keep = (): void => {
      if (!scroller.current || wanted.current || mounted.length === 0) return
      keepPlace(kept.sessionId, placeIn(scroller.current, idsOf(mounted)))
    }
    window.addEventListener('pagehide', keep)
    return () => window.removeEventListener('pagehide', keep)
  }, [kept, isReplay, mounted, scroller, wanted])
}

function idsOf(messages: readonly ChatMessage[]): readonly string[] {
  return messages.map(({ id }) => id)
}

/** Keeps the view in place when earlier messages are mounted above it. */
function useHeldPlace(scroller: RefObject<HTMLElement | null>): () => void {
  const fromEnd = useRef<number>(null)
  useLayoutEffect(() => {
    if (scroller.current && fromEnd.current !== null) {
      scroller.current.scrollTop = scroller.current.scrollHeight - fromEnd.current
    }
    fromEnd.current = null
  })
  return useCallback(() => {
    const { current } = scroller
    if (current) fromEnd.current = current.scrollHeight - current.scrollTop
  }, [scroller])
}
