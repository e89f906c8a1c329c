import { expect, test } from 'vitest'
import type { Message } from '../src/kernel/message.ts'
import { bookOf, createMemory, createSession } from './book.ts'
import { strictJudges } from './judges.ts'
import { createMessageRules } from './messages.ts'
import { setupOf } from './options.ts'
import { problemOfPath } from './path.ts'
import { createRules } from './rules.ts'
import type { Line } from './story.fixtures.ts'
import * as s from './story.fixtures.ts'

const ended = s.end('a')
const talk: Line[] = [
  ...s.called(['a']),
  s.start('a'),
  s.ready('a'),
  s.go('a'),
  ended,
  ...s.toolsEnd(ended),
  s.turnEnd('ans', ['a']),
  ...s.finished(),
]

test('every transcript of a log is judged, at each change of the conversation', () => {
  const refusing = createRules({ judges: [() => ['never']] })
  const strict = createRules({ judges: strictJudges })

  for (const event of s.story(talk)) {
    refusing.see(event)
    strict.see(event)
  }
  strict.rest()

  expect(strict.broken).toEqual([])
  expect(refusing.broken).toHaveLength(7)
  expect(refusing.broken[0]).toMatch(/^I28 at 4 message_end: never$/)
})

test('an empty conversation is not judged, for it is never sent', () => {
  const rules = createRules({ judges: [() => ['never']] })

  for (const event of s.story(s.opened())) rules.see(event)

  expect(rules.broken).toEqual([])
})

test('a transcript is the path to the head: nothing missing, added or changed', () => {
  const { book, messages } = read(talk)
  const [ask, answer, result, done] = messages

  expect(problemOfPath(messages, book)).toBeNull()
  expect(problemOfPath(messages.slice(0, -1), book)).toBe('done is missing')
  expect(problemOfPath([ask, result, answer, done] as Message[], book)).toMatch(/^result_a stands/)
  expect(problemOfPath([{ ...ask, content: [] } as Message, ...messages.slice(1)], book)).toBe(
    'ask is not as it was written',
  )
  expect(problemOfPath([{ ...ask, id: 'x' } as Message, ...messages], book)).toBe('x is in no path')
})

test('an excluded answer is left out, and a summary stands in place of what it covers', () => {
  const kept = read([
    ...talk,
    {
      type: 'compaction_end',
      result: {
        summary: 'Summed up.',
        firstKeptMessageId: 'done',
        tokensBefore: 9,
        tokensAfter: 3,
      },
      aborted: false,
    },
  ])
  const summary: Message = {
    id: 'summary',
    parentId: null,
    role: 'user',
    content: [{ type: 'text', text: 'Before: Summed up.' }],
  }
  const [done] = kept.messages.slice(-1)

  expect(problemOfPath([summary, done] as Message[], kept.book)).toBeNull()
  expect(problemOfPath(kept.messages, kept.book)).toMatch(/^ask stands/)
  expect(problemOfPath([done] as Message[], kept.book)).toMatch(/^the summary does not stand/)

  const failed = read([
    ...talk.slice(0, 5),
    ...s.answer('no', [s.words('Oh')], { excluded: true, stopReason: 'error' }),
  ])
  expect(problemOfPath(failed.messages.slice(0, 1), failed.book)).toBeNull()
  expect(problemOfPath(failed.messages, failed.book)).toMatch(/^no stands/)
})

test('two messages with one id are a broken rule, also where their path is a circle', () => {
  const { book, messages } = read([...talk, ...s.answer('ans', [s.words('Once more.')])])

  expect(problemOfPath(messages, book)).toMatch(/again and again$/)
})

/** A book of a story, and all of its messages. */
function read(lines: readonly Line[]) {
  const session = createSession(setupOf({}), () => {}, createMemory())
  const book = bookOf(session, '')
  const rules = createMessageRules(session)
  const log = s.story(lines)
  for (const event of log) rules.see(event, book)
  // Calls count as different only if one of them is open.
  book.batch = null
  return {
    book,
    messages: log.flatMap((event) => (event.type === 'message_end' ? [event.message] : [])),
  }
}
