import { expect, test } from 'vitest'
import { portableSha256 } from '../internal/portable-sha256.ts'
import { type DurableEvent, type DurableFact, isDurable } from './events.ts'
import { fold } from './fold.ts'
import {
  aborted,
  agentEnd,
  agentStart,
  answer,
  answerStart,
  approvalAsked,
  approvalGiven,
  call,
  callRetry,
  cancelled,
  delivered,
  didCall,
  dispatched,
  ended,
  goesOn,
  logOf,
  modelRetry,
  opened,
  overloaded,
  prepared,
  queued,
  retried,
  said,
  staged,
  starts,
  text,
  toolMessage,
  toolsEnd,
  turnEnd,
  turnStart,
} from './log.fixtures.ts'
import { emptyState, type State } from './state.ts'
import { createStateMaker, itemsOf, type StateItem, stateVersion } from './state-items.ts'

/** A log with every durable fact, several branches, an agent inside a call, and a run that is cut off. */
const log: readonly DurableEvent[] = eventful()
const states = log.map((_, index) => log.slice(0, index + 1).reduce(fold, emptyState('session_1')))

test('[D37] the state of every prefix of a log is the same after it was taken apart', () => {
  for (const state of states) expect(remade(state)).toEqual(state)
  expect(remade(emptyState('session_1'))).toEqual(emptyState('session_1'))
})

test('[D37] a log goes on in the same way from a state that was taken apart', () => {
  const end = states.at(-1)
  for (const [index, state] of states.entries()) {
    expect(log.slice(index + 1).reduce(fold, remade(state))).toEqual(end)
  }
})

test('[D37] branches share their messages, and each comes once', () => {
  const state = states.findLast(({ tips }) => tips.length > 1)
  if (!state) throw new Error('The log has no branches.')
  const ids = [...itemsOf(state)].flatMap((item) =>
    // An answer of which a call was retried is another one on each branch.
    item.kind === 'message' ? [`${item.node.message.id} ${item.node.seq}`] : [],
  )
  expect(new Set(ids).size).toBe(ids.length)

  const { head, tips } = remade(state)

  const roots = [head, ...tips].map(rootOf)
  expect(new Set(roots).size).toBe(1)
})

test('[D38] a fold that makes other states has another version', () => {
  const fingerprint = portableSha256(JSON.stringify(states.map((state) => [...itemsOf(state)])))

  // If this fails, states of before do not fit any more: raise `stateVersion`, and write it here with the fingerprint.
  expect({ stateVersion, fingerprint }).toEqual({
    stateVersion: 6,
    fingerprint: '198d998d9e36dc032fbd83f789e96cb653c432571b21b83ad3ccae3c80da7346',
  })
})

test('the log has every durable fact', () => {
  const types = new Set<string>(log.map(({ type }) => type))

  expect(Object.keys(everyType).filter((type) => !types.has(type))).toEqual([])
})

const everyType: Readonly<Record<DurableFact['type'], true>> = {
  session_opened: true,
  agent_start: true,
  agent_end: true,
  turn_start: true,
  turn_end: true,
  message_start: true,
  message_checkpoint: true,
  message_end: true,
  tool_execution_start: true,
  tool_prepared: true,
  tool_dispatched: true,
  tool_result_staged: true,
  tool_cancel_requested: true,
  tool_retry_requested: true,
  tool_execution_end: true,
  tools_end: true,
  tool_approval_requested: true,
  tool_approval_resolved: true,
  abort_requested: true,
  queue_update: true,
  auto_retry_start: true,
  auto_retry_end: true,
  compaction_start: true,
  compaction_end: true,
  head_moved: true,
  loop_detected: true,
  input_rejected: true,
  output_checked: true,
  warning: true,
  tool_custom: true,
  message_redacted: true,
}

function remade(state: State): State {
  const maker = createStateMaker()
  for (const item of itemsOf(state)) {
    expect(maker.state()).toBeNull()
    maker.add(JSON.parse(JSON.stringify(item)) as StateItem)
  }
  const made = maker.state()
  if (!made) throw new Error('The state is missing.')
  return made
}

function rootOf(head: State['head']): State['head'] {
  let node = head
  while (node?.parent) node = node.parent
  return node
}

function eventful(): readonly DurableEvent[] {
  const asked = [call('a', 'add', '{"n":1}'), call('b', 'add', '{"n":2}'), call('c', 'ask')]
  const messages = asked.map(({ toolCallId }) => toolMessage(toolCallId))
  const inside = { agentId: 'inner', parentToolCallId: 'a' }
  const facts = logOf(
    opened(),
    agentStart('First.'),
    queued({ steering: ['Sooner.'], followUp: ['Later.'] }),
    turnStart,
    ...said('user_1', 'First.'),
    ...said('user_2', 'Sooner.', 'steering'),
    ...answer('failed', [text('Half')], { stopReason: 'error', excluded: true, error: overloaded }),
    modelRetry(),
    answerStart('asks'),
    { type: 'message_checkpoint', messageId: 'asks', content: [text('Let me')] },
    ...answer('asks', [text('Let me see.'), ...asked]).slice(1),
    { type: 'auto_retry_end', scope: 'model', success: true, attempt: 2 },
    ...starts(...asked),
    { type: 'loop_detected', toolName: 'add', repetitions: 3, aborted: false },
    prepared('a', { n: 1 }),
    dispatched('a'),
    { type: 'tool_custom', toolCallId: 'a', toolName: 'add', durable: true, name: 'x', data: [1] },
    approvalAsked('b', { n: 2 }),
    approvalGiven('b', 'edit', { args: { n: 3 } }),
    prepared('b', { n: 3 }),
    prepared('c'),
    staged('c', 'from a person'),
    callRetry('a'),
    dispatched('a', 2),
    cancelled('b'),
    ended('c', 'from a person'),
    ended('b', 'no', { outcome: 'cancelled', isError: true, mayHaveRun: false }),
    { type: 'warning', code: 'test', message: 'Something.' },
  )
  const inner = logOf(
    agentStart('Inside.'),
    turnStart,
    ...said('inner_1', 'Inside.'),
    ...didCall('inner_2', 'inner_call'),
  ).map((event) => ({ ...event, ...inside, runId: 'run_inside' }))
  const rest = logOf(
    ended('a'),
    toolsEnd(...messages),
    ...messages.flatMap((message, index) => delivered(`result_${index}`, message)),
    turnEnd({ messageId: 'asks' }),
    turnStart,
    { type: 'compaction_start', reason: 'threshold' },
    {
      type: 'compaction_end',
      result: {
        summary: 'Much was said.',
        firstKeptMessageId: 'asks',
        tokensBefore: 10,
        tokensAfter: 5,
      },
      aborted: false,
    },
    ...answer('says', [text('Done.')]),
    turnEnd({ messageId: 'says' }),
    agentEnd(),
    { type: 'head_moved', messageId: 'asks' },
    goesOn(),
    retried('b', { n: 4 }),
    ...starts(...asked).slice(1, 2),
    prepared('b', { n: 4 }),
    dispatched('b'),
    ended('b'),
    toolsEnd(...messages),
    ...messages.flatMap((message, index) => delivered(`again_${index}`, message)),
    agentEnd(),
    { type: 'head_moved', messageId: 'user_2' },
    agentStart('Second.'),
    turnStart,
    ...said('user_3', 'Second.'),
    ...answer('other', [text('Else.')]),
    agentEnd(),
    { type: 'head_moved', messageId: 'user_1' },
    { type: 'message_redacted', messageId: 'says', artifactIds: [], by: 'user' },
    agentStart('Refused.'),
    { type: 'input_rejected', reason: 'not this' },
    agentEnd('rejected'),
    { ...goesOn(), output: { schema: { type: 'object' }, maxRepairs: 1 } },
    { type: 'output_checked', messageId: 'says', problem: 'It is no object.' },
    agentEnd('aborted'),
    goesOn(),
    turnStart,
    ...answer('more', [call('d', 'add')]),
    ...starts(call('d', 'add')),
    aborted,
    opened('boot_2'),
  )
  const end = { ...agentEnd(), agentId: 'inner', parentToolCallId: 'a' }
  const all = [...facts, ...inner, ...logOf(end), ...rest]
  return all
    .map((event, index) => ({ ...event, seq: index, ts: 1000 + index }))
    .flatMap((event) => (isDurable(event) ? [event] : []))
}
