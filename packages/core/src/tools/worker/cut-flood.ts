import type { CallNotice } from '../host.ts'

type LogNotice = Extract<CallNotice, { readonly type: 'log' }>

/** How many messages may wait after a cut: as many as would end a worker that does not wait for the page. */
export const maxWaiting = 2000

/** How many characters may be in them after a cut. A worker that takes all memory ends the page with it. */
export const maxWaitingChars = 64_000_000

/** How many lines may be in them: no card shows more. */
const maxLines = 500

interface Waiting {
  /** Whether a message may not be left out. */
  readonly isKept: (notice: CallNotice) => boolean
  readonly charsOf: (notice: CallNotice) => number
}

/**
 * Leaves out the oldest waiting messages, so that at most 2,000 with 64,000,000 characters and 500 lines are left. A log
 * notice in their place counts them.
 */
export function cutFlood(
  waiting: Iterable<CallNotice>,
  { isKept, charsOf }: Waiting,
): readonly CallNotice[] {
  const newestFirst: CallNotice[] = []
  let messages = 0
  let lines = 0
  let chars = 0
  for (const notice of [...waiting].toReversed()) {
    // Also of one that is left out: else an older one that is smaller might stay.
    chars += charsOf(notice)
    const later = newestFirst.at(-1)
    const isJoining = later !== undefined && joins(notice, later)
    const added = linesOf(notice)
    const hasRoom = chars <= maxWaitingChars && (isJoining || messages < maxWaiting)
    const fits = hasRoom && lines + added <= maxLines
    if (!isGap(notice) && (fits || isKept(notice))) {
      newestFirst.push(notice)
      lines += added
      if (!isJoining) messages += 1
    } else if (later && isGap(later)) {
      newestFirst[newestFirst.length - 1] = gap(later.dropped + countOf(notice))
    } else {
      newestFirst.push(gap(countOf(notice)))
      messages += 1
    }
  }
  return newestFirst.toReversed()
}

/** Takes all waiting messages. */
export function takeMessages(waiting: Set<CallNotice>): readonly CallNotice[] {
  const messages: CallNotice[] = []
  for (let next = takeMessage(waiting); next; next = takeMessage(waiting)) messages.push(next)
  return messages
}

/** Takes the first waiting message, with up to 500 later lines joined to it. */
export function takeMessage(waiting: Set<CallNotice>): CallNotice | undefined {
  const [first] = waiting
  if (first) waiting.delete(first)
  if (first?.type !== 'log') return first
  const lines = [...first.lines]
  for (const next of waiting) {
    if (!joins(first, next) || lines.length >= maxLines) break
    lines.push(...next.lines)
    waiting.delete(next)
  }
  return { ...first, lines }
}

/** The `dropped` count of a notice belongs before its lines, so a later notice joins only if it dropped nothing. */
function joins(notice: CallNotice, later: CallNotice): later is LogNotice {
  return notice.type === 'log' && later.type === 'log' && later.dropped === 0
}

function isGap(notice: CallNotice): notice is LogNotice {
  return notice.type === 'log' && notice.lines.length === 0
}

function gap(dropped: number): LogNotice {
  return { type: 'log', lines: [], dropped }
}

function countOf(notice: CallNotice): number {
  return notice.type === 'log' ? notice.lines.length + notice.dropped : 1
}

function linesOf(notice: CallNotice): number {
  return notice.type === 'log' ? notice.lines.length : 0
}
