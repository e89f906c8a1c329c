import { type Reply, stream } from '../exchange.ts'
import { answer, anthropicEvent, call, eventsOf, type StreamEvent, text, toSse } from './answers.ts'
import { search } from './search.ts'

const spoken = eventsOf(answer('end', text('It is ', 'noon.')), 'anthropic')
const twice = eventsOf(
  answer('calls', call('call_1', '{"city":"Київ"}'), call('call_2', '{"city":"Lima"}')),
  'anthropic',
)

/** The faults that only a stream in Anthropic's form can have, by row. The indexes are those of `spoken`. */
export const anthropicFaults: ReadonlyMap<string, Reply> = new Map<string, Reply>([
  ['F3-unseen', sent([...spoken.slice(0, 1), error('overloaded_error')])],
  ['F3-seen', sent([...spoken.slice(0, 3), error('overloaded_error')])],
  ['F3-limit', sent([...spoken.slice(0, 1), error('rate_limit_error')])],
  ['F5', sent(spoken.toSpliced(2, 0, anthropicEvent({ type: 'message_mood', mood: 'good' })))],
  ['F6-block', sent(withStrangeBlock())],
  [
    'F6-delta',
    sent(
      spoken.toSpliced(
        3,
        0,
        anthropicEvent({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'glow_delta', glow: 1 },
        }),
      ),
    ),
  ],
  ['F7-no-start', sent(spoken.toSpliced(1, 1))],
  ['F7-no-message', sent(spoken.slice(1))],
  [
    'F7-gap',
    sent(spoken.map((event) => ({ ...event, data: event.data.replace('"index":0', '"index":3') }))),
  ],
  ['F7-late', sent(spoken.toSpliced(5, 0, ...spoken.slice(3, 4)))],
  ['F7-twice', sent(spoken.toSpliced(1, 0, ...spoken.slice(0, 1)))],
  [
    'F7-wrong-kind',
    sent(
      spoken.map((event) => ({
        ...event,
        data: event.data.replace(
          '{"type":"text_delta","text"',
          '{"type":"input_json_delta","partial_json"',
        ),
      })),
    ),
  ],
  ['F7-open', sent(spoken.toSpliced(4, 1))],
  ['F10-interleaved', sent(interleaved())],
  ['F11-then-calls', sent(ending('max_tokens', 'tool_use'))],
  ['F11-after-calls', sent(ending('tool_use', 'max_tokens'))],
  ['F14-pause', sent(eventsOf(answer('pause', text('Still at it.')), 'anthropic'))],
  ['F14-search', sent(paused())],
])

function sent(events: readonly StreamEvent[]): Reply {
  return stream(events.map(toSse))
}

/** An answer with a call, and these reasons for its end, one after the other. */
function ending(...reasons: readonly string[]): readonly StreamEvent[] {
  const events = eventsOf(answer('calls', call('call_1', '{"city":"Lima"}')), 'anthropic')
  const at = events.findIndex(({ event }) => event === 'message_delta')
  const deltas = reasons.map((stop_reason) =>
    anthropicEvent({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 9 } }),
  )
  return events.toSpliced(at, 1, ...deltas)
}

function error(type: string): StreamEvent {
  return anthropicEvent({ type: 'error', error: { type, message: 'Overloaded' } })
}

/** A block of an unknown kind, before the text. */
function withStrangeBlock(): readonly StreamEvent[] {
  const [start, ...rest] = spoken
  const moved = rest.map((event) => ({
    ...event,
    data: event.data.replace('"index":0', '"index":1'),
  }))
  return [
    ...(start ? [start] : []),
    anthropicEvent({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'hologram', depth: 3 },
    }),
    anthropicEvent({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'hologram_delta', light: 'x' },
    }),
    anthropicEvent({ type: 'content_block_stop', index: 0 }),
    ...moved,
  ]
}

/** Two calls whose arguments come in turns. */
function interleaved(): readonly StreamEvent[] {
  const [head, ...rest] = twice
  const blocks = [rest.slice(0, 4), rest.slice(4, 8)]
  const turns = [0, 1, 2, 3].flatMap((step) =>
    blocks.flatMap((block) => block.slice(step, step + 1)),
  )
  return [...(head ? [head] : []), ...turns, ...rest.slice(8)]
}

function paused(): readonly StreamEvent[] {
  const [head, ...rest] = eventsOf(answer('pause', text('So far.')), 'anthropic')
  const moved = rest.map((event) => ({
    ...event,
    data: event.data.replace('"index":0', '"index":2'),
  }))
  const delta = { type: 'input_json_delta', partial_json: JSON.stringify(search.call.input) }
  return [
    ...(head ? [head] : []),
    anthropicEvent({
      type: 'content_block_start',
      index: 0,
      content_block: { ...search.call, input: {} },
    }),
    anthropicEvent({ type: 'content_block_delta', index: 0, delta }),
    anthropicEvent({ type: 'content_block_stop', index: 0 }),
    anthropicEvent({ type: 'content_block_start', index: 1, content_block: search.result }),
    anthropicEvent({ type: 'content_block_stop', index: 1 }),
    ...moved,
  ]
}
