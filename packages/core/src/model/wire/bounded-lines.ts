import { garbled } from './failures.ts'

/** Bytes one line of an event stream may have: whoever collects a line holds all of it. */
const longestLine = 8 * 1024 * 1024

/** The same response, whose body fails with a `ModelError` of kind `protocol` at a line that is too long. */
export function boundLines(response: Response): Response {
  if (!response.body) return response
  let length = 0
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      const start = bytes.indexOf(newline)
      length = start < 0 ? length + bytes.length : bytes.length - bytes.lastIndexOf(newline) - 1
      if (length > longestLine) controller.error(garbled('a line of it does not end'))
      else controller.enqueue(bytes)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(bounded), { status, statusText, headers })
}

const newline = 0x0a
