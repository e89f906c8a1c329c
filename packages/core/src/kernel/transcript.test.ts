import { expect, test } from 'vitest'
import {
  aborted,
  accepted,
  agentEnd,
  agentStart,
  answer,
  answered,
  answerStart,
  asked,
  call,
  delivered,
  ended,
  handedOut,
  logOf,
  prepared,
  resultOf,
  running,
  said,
  stateAfter,
  stateOf,
  streamed,
  text,
  toolMessage,
  toolsEnd,
  turnEnd,
  turnStart,
  wordsOf,
} from './log.fixtures.ts'
import type { Message } from './message.ts'
import { problemOf, transcript } from './transcript.ts'

const whole = 10_000

test('[I37] is the path from the first message to the head', () => {
  const state = stateOf(
    asked('First?'),
    answer('msg_2', [text('Yes.')]),
    turnEnd(),
    agentEnd(),
    agentStart('Second?'),
    turnStart,
    said('msg_3', 'Second?'),
  )

  expect(linesOf(transcript(state, whole))).toEqual([
    'user: First?',
    'assistant: Yes.',
    'user: Second?',
  ])
})

test('[I37] leaves out excluded messages', () => {
  const state = stateOf(
    asked(),
    answer('msg_2', [text('Bro')], { excluded: true, stopReason: 'error' }),
    answer('msg_3', [text('Done.')]),
  )

  expect(linesOf(transcript(state, whole))).toEqual(['user: Go.', 'assistant: Done.'])
})

test.for([
  ['nothing', []],
  ['an empty text', [text('')]],
  ['white space', [text(' \n')]],
  ['thinking', [{ type: 'thinking', text: 'Hm.', signature: 's' }]],
] as const)('[I28] leaves out an answer of %s alone: no provider accepts it', ([, content]) => {
  const state = stateOf(asked(), answer('msg_2', content))

  expect(linesOf(transcript(state, whole))).toEqual(['user: Go.'])
})

test('[I28] leaves out an answer that is still streaming', () => {
  const state = stateOf(asked(), answerStart('msg_2'), streamed('msg_2', 'Half an ans'))

  expect(linesOf(transcript(state, whole))).toEqual(['user: Go.'])
})

test('[I28] closes every call by what the log says of it', () => {
  const calls = [1, 2, 3, 4, 5].map((n) => call(`call_${n}`))
  const state = stateOf(
    handedOut(...calls).slice(0, -2),
    running('call_1'),
    ended('call_3', 'five'),
    ended('call_4', 'broken', { isError: true, outcome: 'failed', errorKind: 'failed' }),
  )

  const results = transcript(state, whole).filter((message) => message.role === 'toolResult')

  const lost =
    'Interrupted: the page closed or reloaded while this tool was running. It may or may not have completed. Check before retrying.'
  expect(
    results.map(({ toolCallId, content, isError }) => [toolCallId, ...wordsOf(content), isError]),
  ).toEqual([
    ['call_1', lost, true],
    ['call_2', lost, true],
    ['call_3', 'five', false],
    ['call_4', 'broken', true],
    ['call_5', 'Interrupted before it started. It did not run.', true],
  ])
})

test.for([
  ['announced', answered(call('call_1'))],
  ['accepted', accepted(call('call_1'))],
  ['prepared', [...accepted(call('call_1')), prepared('call_1')]],
] as const)('[I28] a call that was merely %s did not run', ([, facts]) => {
  const closing = transcript(stateOf(facts), whole).at(-1)

  expect(closing).toEqual({
    id: 'call_1-result',
    parentId: null,
    role: 'toolResult',
    toolCallId: 'call_1',
    toolName: 'add',
    content: [text('Interrupted before it started. It did not run.')],
    isError: true,
  })
})

test('[I12] [I28] a result that is settled but not delivered is what the model will read', () => {
  const settled = toolMessage('call_1', 'a'.repeat(50))
  const state = stateOf(
    handedOut(call('call_1')),
    ended('call_1', 'a'.repeat(50)),
    toolsEnd(settled),
  )

  expect(transcript(state, 10).at(-1)).toMatchObject({ content: settled.content })
})

test('[I12] the result messages replace those texts, in call order', () => {
  const state = stateOf(
    handedOut(call('call_1'), call('call_2')),
    ended('call_2', 'two'),
    ended('call_1', 'one'),
    toolsEnd(toolMessage('call_1', 'one'), toolMessage('call_2', 'two')),
    delivered('msg_3', toolMessage('call_1', 'one')),
  )

  const results = transcript(state, whole).slice(2)

  expect(results.map(({ id, content }) => [id, content])).toEqual([
    ['msg_3', [text('one')]],
    ['call_2-result', [text('two')]],
  ])
})

test('[I19] what the model reads of a call that has ended is cut to the limit', () => {
  const state = stateOf(handedOut(call('call_1')), ended('call_1', 'a'.repeat(500)))

  const [words] = wordsOf(contentOf(transcript(state, 100).at(-1)))

  expect(words).toHaveLength(100)
})

test('[I19] the model reads nothing of a result but its content', () => {
  const state = stateOf(
    handedOut(call('call_1')),
    ended('call_1', '', {
      result: {
        ...resultOf('seen'),
        details: { secret: 1 },
        structuredContent: { secret: 2 },
        artifacts: [{ artifactId: 'secret', name: 'secret', mediaType: 'text/plain', bytes: 3 }],
      },
    }),
  )

  expect(JSON.stringify(transcript(state, whole))).not.toContain('secret')
})

test('[I20] [I28] a stopped answer keeps its text and is legal without its calls', () => {
  const state = stateOf(
    asked(),
    answer('msg_2', [text('I was just')], { stopReason: 'aborted' }),
    aborted,
    turnEnd(),
    agentEnd('aborted'),
    agentStart('And now?'),
    turnStart,
    said('msg_3', 'And now?'),
  )

  expect(linesOf(transcript(state, whole))).toEqual([
    'user: Go.',
    'assistant: I was just',
    'user: And now?',
  ])
})

test('[I28] every prefix of a log has a legal transcript', () => {
  const log = logOf(
    handedOut(call('call_1'), call('call_2')),
    running('call_2'),
    ended('call_2'),
    running('call_1'),
    ended('call_1'),
    toolsEnd(toolMessage('call_1'), toolMessage('call_2')),
    delivered('msg_3', toolMessage('call_1')),
    delivered('msg_4', toolMessage('call_2')),
    turnEnd(),
    turnStart,
    answer('msg_5', [text('Done.')]),
    turnEnd(),
    agentEnd(),
  )

  const problems = log.map((_, index) =>
    problemOf(transcript(stateAfter(log.slice(0, index + 1)), whole)),
  )

  expect(new Set(problems)).toEqual(new Set([null]))
})

const user: Message = { id: 'msg_1', parentId: null, role: 'user', content: [text('Go.')] }
const calling: Message = {
  id: 'msg_2',
  parentId: 'msg_1',
  role: 'assistant',
  content: [call('call_1'), call('call_2')],
  model: { provider: 'test', id: 'test-1' },
}
const first: Message = { id: 'r_1', parentId: null, role: 'toolResult', ...toolMessage('call_1') }
const second: Message = { id: 'r_2', parentId: null, role: 'toolResult', ...toolMessage('call_2') }
const silent: Message = { ...calling, content: [] }
const again: Message = { ...calling, id: 'msg_9' }
const twice: Message = { ...calling, content: [call('call_1'), call('call_1')] }

test.for<[string, readonly Message[], string | null]>([
  ['nothing', [], null],
  ['a question', [user], null],
  ['calls with their results', [user, calling, first, second, user], null],
  ['a missing last result', [user, calling, first], 'The call call_2 has no result.'],
  ['a missing result', [user, calling, first, user], 'The call call_2 has no result.'],
  ['swapped results', [user, calling, second, first], 'The result of call_2 is out of place.'],
  ['a double result', [user, calling, first, first], 'The result of call_1 is out of place.'],
  ['a result of no call', [user, first], 'The result of call_1 is out of place.'],
  [
    'one result too many',
    [user, calling, first, second, first],
    'The result of call_1 is out of place.',
  ],
  ['an empty answer', [user, silent], 'The answer msg_2 is empty.'],
  ['an id used again', [user, calling, first, second, again], 'The call id call_1 is used twice.'],
  ['an id used twice', [user, twice], 'The call id call_1 is used twice.'],
])('[I28] judges %s', ([, messages, problem]) => {
  expect(problemOf(messages)).toBe(problem)
})

function linesOf(messages: readonly Message[]): string[] {
  return messages.map(({ role, content }) => `${role}: ${content.map(wordOf).join(' ')}`)
}

function wordOf(part: Message['content'][number]): string {
  return part.type === 'text' ? part.text : part.type
}

function contentOf(message: Message | undefined) {
  return message?.role === 'toolResult' ? message.content : []
}
