import { garbled } from '../port.ts'

/** One server-sent event. */
export interface ServerSentEvent {
  /** The name of the event; an event without one, or with an empty one, is a message. */
  readonly event?: string
  /** A stream that broke off can be continued after this event. */
  readonly id?: string
  /** After how many milliseconds the stream wants to be continued, if it breaks off. */
  readonly retry?: string
  readonly data: string
}

/** Characters that each line counts in addition to its text, because joining millions of empty lines takes long. */
const lineCost = 16

/**
 * A parser of server-sent events, as the HTML standard describes them. Takes the text of a body in pieces that are cut
 * anywhere, and gives the events that are complete with each piece. Nothing is kept of comments and unknown fields.
 * Throws a `ModelError` of kind `protocol` for an event or a line of more than `maxChars` characters, while it comes.
 */
export function createEventParser(maxChars: number): (text: string) => readonly ServerSentEvent[] {
  let line = ''
  let isComment = false
  let lineChars = 0
  let endedInReturn = false
  let names: Omit<ServerSentEvent, 'data'> & Record<string, string> = {}
  // The lines of data, each with its line break.
  let data = ''
  let held = 0

  function addToLine(piece: string): void {
    // Only the first character decides about a comment: looking into a line that grows would cost its length each time.
    if (line === '' && piece.startsWith(':')) isComment = true
    line = isComment ? ':' : line + piece
    lineChars += piece.length
    if (held + lineChars > maxChars) throw garbled('an event does not end')
  }

  function endLine(found: ServerSentEvent[]): void {
    if (line === '') {
      if (data !== '') found.push({ ...names, data: data.slice(0, -1) })
      names = {}
      data = ''
      held = 0
    } else {
      readField()
    }
    line = ''
    lineChars = 0
    isComment = false
  }

  function readField(): void {
    const [, field, value = ''] = /^(data|event|id|retry)(?:$|: ?(.*))/s.exec(line) ?? []
    if (field === 'data') {
      data += `${value}\n`
      held += value.length + lineCost
    } else if (field) {
      names[field] = value
    }
  }

  return (text) => {
    const found: ServerSentEvent[] = []
    // A return ends a line by itself: a line feed that follows in the next piece belongs to it.
    let start = endedInReturn && text.startsWith('\n') ? 1 : 0
    if (text !== '') endedInReturn = text.endsWith('\r')
    for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) {
      if (index < start) continue
      addToLine(text.slice(start, index))
      endLine(found)
      start = index + end.length
    }
    addToLine(text.slice(start))
    return found
  }
}
