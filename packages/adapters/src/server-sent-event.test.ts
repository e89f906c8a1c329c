import { expect, test } from 'vitest'
import { toServerSentEvent } from './server-sent-event.ts'

test('[S001-12] [S002-11] an event is one frame: its name, its data in one line, an empty line', () => {
  expect(toServerSentEvent({ event: 'thinking', data: { message: 'Line\nbreak' } })).toBe(
    'event: thinking\ndata: {"message":"Line\\nbreak"}\n\n',
  )
  const done = { type: 'done', max_turns_reached: true }
  expect(toServerSentEvent(done)).toBe(
    'event: done\ndata: {"type":"done","max_turns_reached":true}\n\n',
  )
})

test('a name cannot forge another field or frame', () => {
  expect(toServerSentEvent({ event: 'x\r\n\r\ndata: forged', data: {} })).toBe(
    'event: x data: forged\ndata: {}\n\n',
  )
})
