import { expect, test } from 'vitest'
import { fold } from './fold.ts'
import {
  answer,
  asked,
  call,
  delivered,
  ended,
  handedOut,
  logOf,
  said,
  stateAfter,
  text,
  toolMessage,
  toolsEnd,
} from './log.fixtures.ts'
import { pathTo } from './transcript.ts'

test('[I34] the end of a message that was not begun changes nothing', () => {
  const begun = [...asked(), ...answer('msg_2', [text('Hi')]).slice(0, 1)]
  const [, foreignPrompt] = said('msg_9', 'Me too.')
  const [, foreignAnswer] = answer('msg_9', [call('call_9')])

  for (const foreign of [foreignPrompt, foreignAnswer]) {
    const log = logOf(begun, foreign ?? [])
    const before = stateAfter(log.slice(0, -1))
    const after = stateAfter(log)

    expect(after).toEqual({ ...before, nextSeq: before.nextSeq + 1, sub: 0 })
  }
})

test('[I12] [I34] a result of another call does not count as the next result', () => {
  const log = logOf(
    handedOut(call('call_1')),
    ended('call_1'),
    toolsEnd(toolMessage('call_1')),
    delivered('msg_3', toolMessage('call_9')),
  )

  const { batch } = stateAfter(log)

  expect(batch?.delivered).toBe(0)
})

test('[I4] a message enters the conversation with its end', () => {
  const log = logOf(asked('Hello'))

  const heads = log.map((_, index) => pathTo(stateAfter(log.slice(0, index + 1)).head).length)

  expect(heads).toEqual([0, 0, 0, 0, 1])
})

test('[I6] folds without changing what it was given', () => {
  const [last, ...earlier] = logOf(handedOut(call('call_1')), ended('call_1')).reverse()
  const state = stateAfter(earlier.reverse())
  const before = structuredClone(state)

  if (last) fold(state, last)

  expect(state).toEqual(before)
})
