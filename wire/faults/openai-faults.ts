import { type Reply, stream } from '../exchange.ts'
import {
  answer,
  call,
  eventsOf,
  openaiChunk,
  openaiData,
  openaiDone,
  type StreamEvent,
  text,
  toSse,
} from './answers.ts'

const spoken = eventsOf(answer('end', text('It is ', 'noon.')), 'openai')
const head = openaiChunk({ role: 'assistant', content: '' })
const calls = openaiChunk({}, 'tool_calls')
const cutCall = [head, begun(0, 'call_1'), piece(0, '{"city":"Lima"}')]

/** The faults that only a stream in OpenAI's form can have, by row. The indexes are those of `spoken`. */
export const openaiFaults: ReadonlyMap<string, Reply> = new Map<string, Reply>([
  ['F2-no-done', sent(spoken.slice(0, -1))],
  ['F2-no-usage', sent(spoken.slice(0, -2))],
  ['F2-only-done', sent([...spoken.slice(0, 3), openaiDone])],
  ['F3-unseen', sent([head, error('overloaded_error')])],
  ['F3-seen', sent([...spoken.slice(0, 2), error('server_error')])],
  ['F3-limit', sent([head, error('rate_limit_exceeded')])],
  ['F5', sent(spoken.toSpliced(1, 0, { event: 'mood', data: '{"mood":"good"}' }))],
  ['F6-delta', sent(spoken.toSpliced(2, 0, openaiChunk({ hologram: { depth: 3 } })))],
  ['F7-late', sent(spoken.toSpliced(4, 0, openaiChunk({ content: 'Later.' })))],
  ['F7-no-name', sent([head, piece(0, '{}'), calls, openaiDone])],
  ['F7-gap', sent([head, begun(3, 'call_1'), piece(3, '{"city":"Lima"}'), calls, openaiDone])],
  [
    'F9-missing',
    sent([
      head,
      begun(0),
      piece(0, '{"city":"Київ"}'),
      begun(1),
      piece(1, '{"city":"Lima"}'),
      calls,
      openaiDone,
    ]),
  ],
  [
    'F10-interleaved',
    sent([
      head,
      begun(0, 'call_1'),
      begun(1, 'call_2'),
      piece(0, '{"city"'),
      piece(1, '{"city"'),
      piece(0, ':"Київ"}'),
      piece(1, ':"Lima"}'),
      calls,
      openaiDone,
    ]),
  ],
  ['F10-whole', sent([head, whole(), calls, openaiDone])],
  [
    'F11-reported-as-stop',
    sent(eventsOf(answer('end', call('call_1', '{"city":"Київ"}')), 'openai')),
  ],
  ['F11-then-calls', sent([...cutCall, openaiChunk({}, 'length'), calls, openaiDone])],
  ['F11-after-calls', sent([...cutCall, calls, openaiChunk({}, 'length'), openaiDone])],
  ['F11-open', stream(spoken.slice(0, -1).map(toSse), { ending: 'stall' })],
  [
    'F13-text',
    sent([
      head,
      openaiChunk({ refusal: 'I would ' }),
      openaiChunk({ refusal: 'rather not.' }),
      openaiChunk({}, 'stop'),
      openaiDone,
    ]),
  ],
])

function sent(events: readonly StreamEvent[]): Reply {
  return stream(events.map(toSse))
}

function error(code: string): StreamEvent {
  return openaiData({ error: { message: 'Overloaded', type: code, code } })
}

function begun(index: number, id?: string): StreamEvent {
  const called = { name: 'clock', arguments: '' }
  return openaiChunk({
    tool_calls: [{ index, ...(id !== undefined && { id }), type: 'function', function: called }],
  })
}

function piece(index: number, text: string): StreamEvent {
  return openaiChunk({ tool_calls: [{ index, function: { arguments: text } }] })
}

/** Two calls in one chunk, as servers send them that do not stream calls. */
function whole(): StreamEvent {
  const made = (index: number, city: string) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: 'clock', arguments: JSON.stringify({ city }) },
  })
  return openaiChunk({ tool_calls: [made(0, 'Київ'), made(1, 'Lima')] })
}
