import { garbled } from './failures.ts'

/** Bytes one event of a stream may have: whoever collects an event holds all of it. */
const longestEvent = 8 * 1024 * 1024

/**
 * The same response, whose body fails with a `ModelError` of kind `protocol` at an event that is too long. Calls
 * back for all that comes of it: also what no event is made of says that the server lives.
 */
export function boundEvents(response: Response, onBytes: () => void = () => {}): Response {
  const { body, status, statusText, headers } = response
  if (!body || bodiless.has(status)) return response
  const grow = createEventLength()
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      onBytes()
      if (grow(bytes) > longestEvent) controller.error(garbled('an event does not end'))
      else controller.enqueue(bytes)
    },
  })
  return new Response(body.pipeThrough(bounded), { status, statusText, headers })
}

/** Answers that have no body by their status: the platform makes none with one. */
const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304])

/**
 * Counts the bytes since the last event, and gives the most there were in each piece. A blank line ends an event if a
 * line of it began like `data:` or `event:`: whoever reads keeps comments until then.
 */
function createEventLength(): (piece: Uint8Array) => number {
  let length = 0
  let isBlank = true
  let isEvent = false
  let previous = 0
  return (piece) => {
    let longest = 0
    for (const byte of piece) {
      length += 1
      if (byte !== lineFeed && byte !== carriageReturn) {
        if (isBlank) isEvent ||= byte === letterD || byte === letterE
        isBlank = false
      } else if (byte !== lineFeed || previous !== carriageReturn) {
        longest = Math.max(longest, length)
        if (isBlank && isEvent) {
          length = 0
          isEvent = false
        }
        isBlank = true
      }
      previous = byte
    }
    return Math.max(longest, length)
  }
}

const letterD = 0x64
const letterE = 0x65
const lineFeed = 0x0a
const carriageReturn = 0x0d
