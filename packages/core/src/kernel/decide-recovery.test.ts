import { expect, test } from 'vitest'
import { decide } from './decide.ts'
import {
  asked,
  call,
  config,
  delivered,
  ended,
  handedOut,
  opened,
  said,
  stateOf,
  toolMessage,
  toolsEnd,
} from './log.fixtures.ts'

test('[I4] [I29] ends a prompt that was begun when the page went away', () => {
  const [begun] = said('msg_1', 'Go.')
  const state = stateOf(asked().slice(0, 3), begun ?? [], opened('boot_2'))

  const { facts, effects } = decide(state, config)

  expect(facts).toEqual([
    {
      type: 'message_end',
      message: {
        id: 'msg_1',
        parentId: null,
        role: 'user',
        content: [{ type: 'text', text: 'Go.' }],
      },
    },
  ])
  expect(effects).toEqual([])
})

test('[I4] [I29] ends a result message that was begun when the page went away', () => {
  const result = toolMessage('call_1')
  const [begun] = delivered('msg_3', result)
  const state = stateOf(
    handedOut(call('call_1')),
    ended('call_1'),
    toolsEnd(result),
    begun ?? [],
    opened('boot_2'),
  )

  const { facts } = decide(state, config)

  expect(facts).toEqual([
    {
      type: 'message_end',
      message: { id: 'msg_3', parentId: null, role: 'toolResult', ...result },
    },
  ])
})

test('[I12] [I29] a page with another limit delivers what tools_end has settled', () => {
  const settled = toolMessage('call_1', 'a'.repeat(50))
  const state = stateOf(
    handedOut(call('call_1')),
    ended('call_1', 'a'.repeat(50)),
    toolsEnd(settled),
    opened('boot_2'),
  )

  const { facts } = decide(state, { ...config, maxToolResultChars: 10 })

  expect(facts).toEqual([{ type: 'whole_message', message: { role: 'toolResult', ...settled } }])
})
