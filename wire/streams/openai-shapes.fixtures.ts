import { openaiChunk, openaiData, openaiDone, type StreamEvent } from '../faults/answers.ts'
import { type Shape, shape } from './shape.fixtures.ts'

const head = openaiChunk({ role: 'assistant', content: '', refusal: null })

const usage = {
  prompt_tokens: 1200,
  completion_tokens: 42,
  total_tokens: 1242,
  prompt_tokens_details: { cached_tokens: 1024, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 3 },
}

const usageLast = openaiData({ choices: [], usage })

/** Streams of Chat Completions, after the vendor's documentation and what compatible servers send. */
export const openaiShapes: readonly Shape[] = [
  whole('text, usage in the last chunk', 'stop', texts('Hello', ', 世界', ' 👋🏽.')),
  shape('openai', 'no usage and no [DONE]', [head, ...texts('Hello', '!'), end('stop')]),
  shape('openai', 'usage in the chunk with the reason', [
    head,
    ...texts('Hello', '!'),
    openaiData({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage }),
    openaiDone,
  ]),
  shape('openai', 'usage in every chunk', [
    ...['Hel', 'lo'].map((content, at) =>
      openaiData({
        choices: [{ index: 0, delta: { content }, finish_reason: null }],
        usage: { prompt_tokens: 5, completion_tokens: at, total_tokens: 5 + at },
      }),
    ),
    end('stop'),
    openaiDone,
  ]),
  whole('text and parallel calls', 'tool_calls', [
    ...texts("I'll check."),
    ...call(0, 'call_1', '{"city"', ': "Ки', 'їв"}'),
    ...call(1, 'call_2', '{"city": "🗼"}'),
  ]),
  whole('calls that take turns', 'tool_calls', [
    started(0, 'call_1'),
    started(1, 'call_2'),
    ...['{"ci', 'ty": "A"}'].flatMap((piece) => [grown(0, piece), grown(1, piece)]),
  ]),
  whole('calls without ids', 'tool_calls', [
    ...call(0, undefined, '{"city": "A"}'),
    ...call(1, undefined, '{"city": "B"}'),
  ]),
  whole('a call without arguments', 'tool_calls', call(0, 'call_1', '')),
  whole('calls that come whole', 'tool_calls', [
    openaiChunk({
      role: 'assistant',
      content: null,
      tool_calls: [0, 1].map((index) => ({
        index,
        id: `call_${index}`,
        type: 'function',
        function: { name: 'clock', arguments: '{"city":"Lima"}' },
      })),
    }),
  ]),
  shape('openai', 'a call that is reported as a natural end', [
    head,
    ...call(0, 'call_1', '{"city": "A"}'),
    end('stop'),
    openaiDone,
  ]),
  ...['reasoning_content', 'reasoning'].map((field) =>
    whole(`thoughts in ${field}`, 'stop', [
      openaiChunk({ [field]: 'The sun ' }),
      openaiChunk({ [field]: 'is high.' }),
      ...texts('Noon.'),
    ]),
  ),
  whole('an answer cut off at its limit', 'length', texts('And so')),
  whole('a call cut off at the limit', 'length', call(0, 'call_1', '{"city": "Par')),
  whole('a filtered answer', 'content_filter', texts('Well')),
  whole('a refusal in words', 'stop', [
    openaiChunk({ refusal: 'I would ' }),
    openaiChunk({ refusal: 'rather not.' }),
  ]),
  whole('a legacy reason', 'function_call', call(0, 'call_1', '{}')),
  shape('openai', 'comments, filter results and an event with a name', [
    ': OPENROUTER PROCESSING\n\n',
    openaiData({ choices: [], prompt_filter_results: [{ prompt_index: 0 }] }),
    head,
    'event: message\n',
    ...texts('Hello', '.'),
    ': OPENROUTER PROCESSING\n\n',
    end('stop'),
    usageLast,
    openaiDone,
  ]),
  whole('nothing at all', 'stop', []),
  shape('openai', 'an error in the middle', [
    head,
    ...texts('Hello'),
    { data: '{"error":{"message":"Overloaded","type":"server_error","code":502}}' },
    openaiDone,
  ]),
]

function whole(name: string, reason: string, middle: readonly StreamEvent[]): Shape {
  return shape('openai', name, [head, ...middle, end(reason), usageLast, openaiDone])
}

function end(reason: string): StreamEvent {
  return openaiChunk({}, reason)
}

function texts(...pieces: readonly string[]): readonly StreamEvent[] {
  return pieces.map((content) => openaiChunk({ content }))
}

function call(
  index: number,
  id: string | undefined,
  ...pieces: readonly string[]
): readonly StreamEvent[] {
  return [started(index, id), ...pieces.map((piece) => grown(index, piece))]
}

function started(index: number, id?: string): StreamEvent {
  const called = { name: 'clock', arguments: '' }
  return openaiChunk({
    tool_calls: [{ index, ...(id !== undefined && { id }), type: 'function', function: called }],
  })
}

function grown(index: number, text: string): StreamEvent {
  return openaiChunk({ tool_calls: [{ index, function: { arguments: text } }] })
}
