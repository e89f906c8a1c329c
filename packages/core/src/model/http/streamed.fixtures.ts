import { vi } from 'vitest'
import type { Situation } from '../model.contract.ts'

/** What a server sends of an answer. */
export interface Sent {
  readonly whole: Uint8Array
  /** Its beginning. */
  readonly part: Uint8Array
}

/** What a server answers in the situations of the model contract. */
export function responseIn(
  situation: Situation,
  { whole, part }: Sent,
): Response | Promise<Response> {
  switch (situation) {
    case 'answers':
      return streamed([whole])
    case 'ends early':
      return streamed([part])
    case 'breaks':
      return streamed([part], { ending: 'break' })
    case 'stalls':
      return streamed([part], { ending: 'wait' })
    case 'is silent':
      return new Promise(() => {})
  }
}

/**
 * A response whose body comes in exactly these pieces, and then ends, breaks, waits, or repeats the last of them, each
 * time after 0.4 s of a test's fake timers.
 */
export function streamed(
  pieces: readonly Uint8Array[],
  {
    ending = 'end',
    type = 'text/event-stream',
  }: { ending?: 'end' | 'break' | 'wait' | 'repeat'; type?: string } = {},
): Response {
  const rest = [...pieces]
  const again = new Uint8Array(pieces.at(-1) ?? [])
  let isLeft = false
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = rest.shift()
      if (piece) controller.enqueue(piece)
      else if (ending === 'end') controller.close()
      else if (ending === 'break') controller.error(new TypeError('network error'))
      else if (ending === 'repeat') {
        vi.advanceTimersByTime(400)
        // The reader may have left in that time.
        if (!isLeft) controller.enqueue(again.slice())
      } else return new Promise(() => {})
      return undefined
    },
    cancel: () => {
      isLeft = true
    },
  })
  return new Response(body, { headers: { 'content-type': type } })
}
