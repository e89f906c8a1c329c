import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { array, assert, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { createEventParser, type ServerSentEvent } from './event-parser.ts'

const line = constantFrom(
  'data: {"a":1}',
  'data:x',
  'data:  two blanks',
  'data',
  'data:',
  'event: delta',
  'event:',
  'id: 7',
  'retry: 10',
  ': a comment',
  ':',
  'unknown: x',
  'dataset: x',
  'data : x',
  '',
)
const end = constantFrom('\n', '\r\n', '\r')

test('reads any lines, cut anywhere, as a well-known parser does', () => {
  assert(
    property(
      array(array(line, { maxLength: 4 })),
      end,
      array(string()),
      (events, newline, cuts) => {
        const text = events.flatMap((lines) => [...lines, '', '']).join(newline)
        const pieces = cutAt(text, cuts)

        const found = pieces.flatMap(createEventParser(1000))
        expect(found.map(withoutEmpty)).toEqual(readByLibrary(text))
      },
    ),
  )
})

test('an event that is too long is an error before it is complete; comments are not kept', () => {
  const parse = createEventParser(10)

  for (let i = 0; i < 20; i++) expect(parse(': comment\n')).toEqual([])
  expect(parse('data: 1234')).toEqual([])
  expect(() => parse('5')).toThrow('an event does not end')
  expect(() => createEventParser(10)(`: ${'c'.repeat(10)}`)).toThrow('an event does not end')
})

test('[M9] so are millions of empty lines, which take long to join', () => {
  const parse = createEventParser(8_000_000)
  const lines = 'data\n'.repeat(100_000)
  for (let i = 0; i < 5; i++) parse(lines)

  expect(() => parse('data\n')).toThrow('an event does not end')
})

/** The lengths of the strings say where to cut. */
function cutAt(text: string, cuts: readonly string[]): readonly string[] {
  const pieces: string[] = []
  let from = 0
  for (const { length } of cuts) {
    pieces.push(text.slice(from, from + length))
    from += length
  }
  return [...pieces, text.slice(from)]
}

function readByLibrary(text: string): readonly ServerSentEvent[] {
  const found: ServerSentEvent[] = []
  const parser = createParser({
    onEvent: (event) => found.push(withoutEmpty(event)),
  })
  // The library waits for what follows a return.
  parser.feed(`${text}\n`)
  return found
}

/** An empty name or id is as good as none. */
function withoutEmpty({ data, event, id }: EventSourceMessage): ServerSentEvent {
  return { data, ...(event && { event }), ...(id && { id }) }
}
