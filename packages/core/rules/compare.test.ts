import { expect, test } from 'vitest'
import type { Message } from '../src/kernel/message.ts'
import { brokenCallView, firstDifference, toldIn } from './compare.ts'
import * as s from './story.fixtures.ts'

const log = s.story(s.called(['a']))
const begun = [
  ...s.called(['a', 'b']),
  s.start('a', [0, 2]),
  s.start('b', [1, 2]),
  s.ready('a'),
  s.ready('b'),
  s.go('a'),
  s.go('b'),
]

test('of two logs, the first event in which they differ is reported', () => {
  expect(firstDifference(log, s.story(s.called(['a'])))).toBeNull()
  expect(firstDifference(log, log.slice(0, -1))).toMatch(/^event 9: .*message_end.* and undefined$/)
  expect(firstDifference(log, s.story(s.called(['b'])))).toMatch(/^event 6: /)
})

test('two conversations count as the same although their ids differ', () => {
  const conversation = (id: string): Message[] => [
    { id, parentId: null, role: 'user', content: [{ type: 'text', text: 'Go.' }] },
    {
      id: `${id}2`,
      parentId: id,
      role: 'toolResult',
      toolCallId: `call_${id}`,
      toolName: 'add',
      content: [],
      isError: false,
    },
  ]

  expect(toldIn(conversation('x'))).toEqual(toldIn(conversation('y')))
  expect(toldIn(conversation('x'))).not.toEqual(toldIn(conversation('x').slice(0, 1)))
})

test('in the call view the ends come in call order, after all calls are done', () => {
  expect(brokenCallView(s.story(begun, s.end('a'), s.end('b')))).toEqual([])
  expect(brokenCallView(s.story(begun, s.end('b'), s.end('a')))).not.toEqual([])
  expect(brokenCallView(s.story(begun, s.end('a'), s.runs('b'), s.end('b')))).not.toEqual([])
  expect(brokenCallView(s.story(begun, s.end('a')))).not.toEqual([])
})
