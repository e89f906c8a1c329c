import type { CallNotice } from '../host.ts'

/** How many messages may be on their way that the page has not acknowledged. */
const maxUnacknowledged = 8

/** How many more at the end of a call, which then need not wait. */
const maxAtEnd = 16

/** So many characters of a message count as one more message: the page takes as long for a few big ones. */
const countedChars = 100_000

/** Permission to send messages to the page. A sender without credit holds its messages back until it is refilled. */
export interface Credit {
  /** Whether one more message may be sent. `isEnd`: the call sends nothing more than what waits. */
  readonly isLeft: (isEnd: boolean) => boolean
  /** How many characters a message has; 0 where messages do not wait. */
  readonly charsOf: (notice: CallNotice) => number
  /** To be called with each message that is sent. */
  readonly spend: (notice: CallNotice) => void
  /** Calls back whenever there is credit again. One listener. */
  readonly onRefill: (listener: () => void) => void
}

/** Credit that the page refills as it acknowledges messages. */
export interface RefillableCredit extends Credit {
  readonly refill: (messages: number) => void
}

export function createCredit(): RefillableCredit {
  let left = maxUnacknowledged
  /** What the messages cost that are on their way. */
  const costs: number[] = []
  const known = new WeakMap<CallNotice, number>()
  const charsOf = (notice: CallNotice): number => {
    const chars = known.get(notice) ?? JSON.stringify(notice).length
    known.set(notice, chars)
    return chars
  }
  let notify = (): void => {}
  return {
    // The last message may cost more than there is: else a big one would never be sent.
    isLeft: (isEnd) => left > (isEnd ? -maxAtEnd : 0),
    charsOf,
    spend: (notice) => {
      const cost = 1 + Math.floor(charsOf(notice) / countedChars)
      costs.push(cost)
      left -= cost
    },
    refill: (messages) => {
      for (const cost of costs.splice(0, messages)) left += cost
      notify()
    },
    onRefill: (listener) => {
      notify = listener
    },
  }
}

/** For code on the page, whose messages arrive at once. */
export const endlessCredit: Credit = {
  ...{ isLeft: () => true, charsOf: () => 0, spend: () => {}, onRefill: () => {} },
}
