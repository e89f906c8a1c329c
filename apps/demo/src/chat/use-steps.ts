import type { ChatMessage } from '@offthread/core'
import { useEffect, useState } from 'react'

/** What a task of the page can bear to mount, in parts of messages: a call takes forty elements. */
const mostParts = 60

/**
 * Of the messages from `start` on, the first one to mount: the last few at once, and those before them a few in a task, so
 * that a chat of any size opens without a long task. `onStep` is called before more are mounted above the others.
 */
export function useSteps(
  messages: readonly ChatMessage[],
  start: number,
  onStep: () => void,
): number {
  const [firstId, setFirstId] = useState<string>()
  const known = messages.findIndex(({ id }) => id === firstId)
  const from = Math.max(start, known < 0 ? stepBefore(messages, messages.length) : known)
  const next = known < 0 ? from : Math.max(start, stepBefore(messages, from))
  const nextId = next === known ? undefined : messages[next]?.id
  useEffect(() => {
    if (nextId === undefined) return undefined
    // Not in a frame: what then scrolls the page would be told of it only after the sizes have changed.
    const timer = setTimeout(() => {
      onStep()
      setFirstId(nextId)
    })
    return () => clearTimeout(timer)
  }, [nextId, onStep])
  return from
}

/** Where the step before `end` starts. It has at least one message. */
function stepBefore(messages: readonly ChatMessage[], end: number): number {
  let parts = 0
  const fits = ({ content }: ChatMessage): boolean => {
    parts += 1 + content.length
    return parts <= mostParts
  }
  const tooMuch = messages.slice(0, end).findLastIndex((message) => !fits(message))
  return Math.max(0, Math.min(tooMuch + 1, end - 1))
}
