/** How many messages may be on their way that the page has not acknowledged. */
const maxUnacknowledged = 8

/** Permission to send messages to the page. A sender without credit holds its messages back until it is refilled. */
export interface Credit {
  /** Spends credit for one message. Returns whether the message may be sent. */
  readonly spend: () => boolean
  /** Calls back whenever there is credit again. One listener. */
  readonly onRefill: (listener: () => void) => void
}

/** Credit that the page refills as it acknowledges messages. */
export interface RefillableCredit extends Credit {
  readonly refill: (messages: number) => void
}

export function createCredit(): RefillableCredit {
  let left = maxUnacknowledged
  let notify = (): void => {}
  return {
    spend: () => {
      if (left === 0) return false
      left -= 1
      return true
    },
    refill: (messages) => {
      left = Math.min(maxUnacknowledged, left + messages)
      notify()
    },
    onRefill: (listener) => {
      notify = listener
    },
  }
}

/** For code on the page, whose messages arrive at once. */
export const endlessCredit: Credit = { spend: () => true, onRefill: () => {} }
