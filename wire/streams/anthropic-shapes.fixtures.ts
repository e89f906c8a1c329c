import { anthropicEvent, type StreamEvent } from '../faults/answers.ts'
import { type Shape, shape } from './shape.fixtures.ts'

const ping = anthropicEvent({ type: 'ping' })

const messageStart = anthropicEvent({
  type: 'message_start',
  message: {
    id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    container: null,
    usage: {
      input_tokens: 25,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 2000,
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 0 },
      output_tokens: 1,
      service_tier: 'standard',
    },
  },
})

/** Streams of the Messages API, after the vendor's documentation and the types of its package. */
export const anthropicShapes: readonly Shape[] = [
  whole('text, a ping and a cached prompt', 'end_turn', [
    ping,
    ...textBlock(0, ['Hello', ', 世界', ' 👋🏽.']),
  ]),
  whole('a stop sequence', 'stop_sequence', textBlock(0, ['One, two'])),
  whole('thinking and its signature', 'end_turn', [
    ...thinkingBlock(
      0,
      ['First ', 'this, ', 'then that.'],
      'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl',
    ),
    ...textBlock(1, ['27 × 453', ' = 12231']),
  ]),
  whole('redacted thinking between other thinking, and a call', 'tool_use', [
    ...thinkingBlock(0, ['Hm.'], 'c2lnbmVk'),
    ...block(1, {
      type: 'redacted_thinking',
      data: 'EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIwxtE3rAFBa8cr3qpP',
    }),
    ...thinkingBlock(2, [], 'b25seSBzaWduZWQ='),
    ...toolBlock(3, 'toolu_01', ['{"city', '": "Ки', 'їв"}']),
  ]),
  whole('text and parallel calls, one without arguments', 'tool_use', [
    ...textBlock(0, ["I'll check."]),
    ...toolBlock(1, 'toolu_01', ['', '{"city": ', '"San Francisco, CA"', '}']),
    ...toolBlock(2, 'toolu_02', ['']),
    ...toolBlock(3, 'toolu_03', ['{"city": "🗼"}']),
  ]),
  whole('calls that take turns', 'tool_use', [
    toolStart(0, 'toolu_01'),
    toolStart(1, 'toolu_02'),
    ...['{"ci', 'ty": "A"}'].flatMap((piece) => [toolDelta(0, piece), toolDelta(1, piece)]),
    stop(0),
    stop(1),
  ]),
  whole('an answer cut off in a call', 'max_tokens', [
    ...textBlock(0, ['Let me see.']),
    ...toolBlock(1, 'toolu_01', ['{"city": "Par']),
  ]),
  whole('a refusal and its reason', 'refusal', textBlock(0, ['Well']), {
    type: 'refusal',
    category: 'cyber',
    explanation: 'This is against the usage policy.',
  }),
  whole('a pause with a search of the provider', 'pause_turn', [
    ...block(0, { type: 'server_tool_use', id: 'srvtoolu_01', name: 'web_search', input: {} }, [
      { type: 'input_json_delta', partial_json: '{"query": "noon"}' },
    ]),
    ...block(1, {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_01',
      content: [
        {
          type: 'web_search_result',
          title: 'Noon',
          url: 'https://example.com',
          encrypted_content: 'x',
          page_age: null,
        },
      ],
    }),
    ...textBlock(2, ['So far.']),
  ]),
  whole(
    'an answer that fills the context',
    'model_context_window_exceeded',
    textBlock(0, ['And so']),
  ),
  whole('a citation, and unknown events and deltas', 'end_turn', [
    anthropicEvent({ type: 'message_mood', mood: 'good' }),
    ...block(0, { type: 'text', text: '', citations: [] }, [
      { type: 'text_delta', text: 'Green.' },
      {
        type: 'citations_delta',
        citation: { type: 'char_location', cited_text: 'grass is green', document_index: 0 },
      },
    ]),
  ]),
  whole('nothing at all', 'end_turn', []),
  shape('anthropic', 'an error in the middle', [
    messageStart,
    ...textBlock(0, ['Hello']).slice(0, 2),
    anthropicEvent({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  ]),
]

function whole(
  name: string,
  reason: string,
  ...[blocks, details = null]: readonly [readonly StreamEvent[], (object | null)?]
): Shape {
  return shape('anthropic', name, [
    messageStart,
    ...blocks,
    anthropicEvent({
      type: 'message_delta',
      delta: {
        stop_reason: reason,
        stop_sequence: reason === 'stop_sequence' ? 'three' : null,
        stop_details: details,
        container: null,
      },
      usage: { output_tokens: 42, output_tokens_details: { thinking_tokens: 3 } },
    }),
    anthropicEvent({ type: 'message_stop' }),
  ])
}

function textBlock(index: number, pieces: readonly string[]): readonly StreamEvent[] {
  return block(
    index,
    { type: 'text', text: '' },
    pieces.map((text) => ({ type: 'text_delta', text })),
  )
}

function thinkingBlock(
  index: number,
  pieces: readonly string[],
  signature: string,
): readonly StreamEvent[] {
  return block(index, { type: 'thinking', thinking: '', signature: '' }, [
    ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
    { type: 'signature_delta', signature },
  ])
}

function toolBlock(index: number, id: string, pieces: readonly string[]): readonly StreamEvent[] {
  return [toolStart(index, id), ...pieces.map((piece) => toolDelta(index, piece)), stop(index)]
}

function toolStart(index: number, id: string): StreamEvent {
  const content_block = {
    type: 'tool_use',
    id,
    name: 'clock',
    input: {},
    caller: { type: 'direct' },
  }
  return anthropicEvent({ type: 'content_block_start', index, content_block })
}

function toolDelta(index: number, partial_json: string): StreamEvent {
  const delta = { type: 'input_json_delta', partial_json }
  return anthropicEvent({ type: 'content_block_delta', index, delta })
}

function block(
  index: number,
  content_block: object,
  deltas: readonly object[] = [],
): readonly StreamEvent[] {
  return [
    anthropicEvent({ type: 'content_block_start', index, content_block }),
    ...deltas.map((delta) => anthropicEvent({ type: 'content_block_delta', index, delta })),
    stop(index),
  ]
}

function stop(index: number): StreamEvent {
  return anthropicEvent({ type: 'content_block_stop', index })
}
