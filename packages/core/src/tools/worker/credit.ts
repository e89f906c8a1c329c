/** How many messages may be on their way that the page has not acknowledged. */
const maxUnacknowledged = 8

/** Leave to tell the page something. Who has none holds it back until there is some again. */
export interface Credit {
  /** Whether one more message may go. If so, it counts as sent. */
  readonly spend: () => boolean
  /** Calls back whenever there is credit again. One listener. */
  readonly onRefill: (listener: () => void) => void
}

/** Credit that the other side gives back. */
export interface GivenCredit extends Credit {
  readonly refill: (messages: number) => void
}

export function createCredit(): GivenCredit {
  let left = maxUnacknowledged
  let tell = (): void => {}
  return {
    spend: () => {
      if (left === 0) return false
      left -= 1
      return true
    },
    refill: (messages) => {
      left = Math.min(maxUnacknowledged, left + messages)
      tell()
    },
    onRefill: (listener) => {
      tell = listener
    },
  }
}

/** For code on the page: what it tells is heard at once. */
export const endlessCredit: Credit = { spend: () => true, onRefill: () => {} }
