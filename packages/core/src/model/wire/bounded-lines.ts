import { garbled } from './failures.ts'

/** Bytes one line of an event stream may have: whoever collects a line holds all of it. */
const longestLine = 8 * 1024 * 1024

/**
 * The same response, whose body fails with a `ModelError` of kind `protocol` at a line that is too long. Calls
 * back for all that comes of it: also what no event is made of says that the server lives.
 */
export function boundLines(response: Response, onBytes: () => void = () => {}): Response {
  const { body, status, statusText, headers } = response
  if (!body || bodiless.has(status)) return response
  let length = 0
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      onBytes()
      const [first, last] = lineEndsIn(bytes)
      const isTooLong = length + first > longestLine
      length = last < 0 ? length + bytes.length : bytes.length - last - 1
      if (isTooLong || length > longestLine) controller.error(garbled('a line of it does not end'))
      else controller.enqueue(bytes)
    },
  })
  return new Response(body.pipeThrough(bounded), { status, statusText, headers })
}

/** Answers that have no body by their status: the platform makes none with one. */
const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304])

/** Where the first line of these bytes ends, or their end; and where the last one does, or -1. */
function lineEndsIn(bytes: Uint8Array): readonly [first: number, last: number] {
  const feeds = [lineFeed, carriageReturn]
  const starts = feeds.map((feed) => bytes.indexOf(feed)).filter((at) => at >= 0)
  return [
    Math.min(bytes.length, ...starts),
    Math.max(...feeds.map((feed) => bytes.lastIndexOf(feed))),
  ]
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
