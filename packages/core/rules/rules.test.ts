import { expect, test } from 'vitest'
import type { RuleOptions } from './options.ts'
import { createRules } from './rules.ts'
import type { Line } from './story.fixtures.ts'
import * as s from './story.fixtures.ts'

interface Case {
  readonly good: readonly Line[]
  /** Each case: the fault, and a story that has it. It must be reported under the rule of the case. */
  readonly bad: { readonly [what: string]: readonly Line[] }
  readonly options?: RuleOptions
}

const ended = s.end('a')
const oneCall: Line[] = [
  ...s.called(['a']),
  s.start('a'),
  s.ready('a'),
  s.go('a'),
  s.runs('a'),
  s.progress('a'),
  ended,
  ...s.toolsEnd(ended),
  s.turnEnd('ans', ['a']),
  ...s.finished(),
]
const plain: Line[] = [
  s.opened(),
  s.runStart(),
  s.turnStart,
  ...s.said('ask'),
  ...s.answer('ans', [s.words('Hello.')]),
  s.turnEnd('ans'),
  s.runEnd('stop'),
]
const [endA, endB] = [s.end('a'), s.end('b')] as const
const parallel: Line[] = [
  ...s.called(['a', 'b']),
  s.start('a', [0, 2]),
  s.start('b', [1, 2]),
  s.ready('a'),
  s.ready('b'),
  s.go('a'),
  s.go('b'),
  endB,
  endA,
  ...s.toolsEnd(endA, endB),
  s.turnEnd('ans', ['a', 'b']),
  ...s.finished(),
]
const alone = (id: string, index: number, of: number) => [
  s.start(id, [index, of]),
  s.ready(id),
  s.go(id),
  s.end(id),
]
const sequential: Line[] = [
  ...s.called(['a', 'b'], { toolExecution: 'sequential' }),
  ...alone('a', 0, 2),
  ...alone('b', 1, 2),
  ...s.toolsEnd(endA, endB),
  s.turnEnd('ans', ['a', 'b']),
  ...s.finished(),
]
const skippedText = 'Not run: the user sent a new message.'
const skipB = s.unrun('b', 'skipped', { text: skippedText })
const steered = (...second: readonly Line[]): Line[] => [
  ...s.called(['a', 'b'], { toolExecution: 'sequential' }),
  s.start('a', [0, 2]),
  s.ready('a'),
  s.go('a'),
  s.queues(['Wait!']),
  endA,
  ...second,
  s.turnEnd('ans', ['a', 'b']),
  s.turnStart,
  ...s.said('wait', 'Wait!', 'steering'),
  s.queues([]),
  ...s.answer('done', [s.words('Done.')]),
  s.turnEnd('done'),
  s.runEnd('stop', 2),
]
const skipping = steered(s.start('b', [1, 2]), skipB, ...s.toolsEnd(endA, skipB))
const cutText = 'Not run: the answer was cut off before this call was complete.'
const cutA = s.unrun('a', 'failed', { text: cutText, errorKind: 'truncated_call' })
const cutOff: Line[] = [
  s.opened(),
  s.runStart(),
  s.turnStart,
  ...s.said('ask'),
  ...s.answer('ans', [s.call('a')], { stopReason: 'max_tokens' }),
  s.start('a'),
  cutA,
  ...s.toolsEnd(cutA),
  s.turnEnd('ans', ['a']),
  ...s.finished(),
]
const cancelledText = 'Cancelled by the user while running. It may have had partial effects.'
const cancelA = s.end('a', cancelledText, {
  isError: true,
  outcome: 'cancelled',
  errorKind: 'cancelled',
})
const cancelB = s.unrun('b', 'cancelled', {
  text: 'Cancelled by the user before it started. It did not run.',
})
const stopped: Line[] = [
  ...s.called(['a']),
  s.start('a'),
  s.ready('a'),
  s.go('a'),
  s.aborted,
  cancelA,
  ...s.toolsEnd(cancelA),
  s.turnEnd('ans', ['a']),
  s.runEnd('aborted'),
]
const half = (words: string) => ({ content: [{ type: 'text', text: words }] }) as const
const kept = { partialResult: half('Two.') }
const halfDone = (more: object): Line[] => [
  ...s.called(['a']),
  s.start('a'),
  s.ready('a'),
  s.go('a'),
  s.update('a', half('One.')),
  s.update('a', half('Two.')),
  s.aborted,
  { ...cancelA, ...more },
  ...s.toolsEnd(cancelA),
  s.turnEnd('ans', ['a']),
  s.runEnd('aborted'),
]
const lineOf = (text: string) => ({ level: 'info', text, t: 1 }) as const
const lines = Array.from({ length: 25 }, (_, at) => lineOf(`${at}`))
const endOfLog = { lines: lines.slice(-20), dropped: 8 }
const logged = (more: object): Line[] => [
  ...s.called(['a']),
  s.start('a'),
  s.ready('a'),
  s.go('a'),
  { type: 'tool_log', toolCallId: 'a', lines: lines.slice(0, 9), dropped: 3 },
  { type: 'tool_log', toolCallId: 'a', lines: lines.slice(9), dropped: 0 },
  s.aborted,
  { ...cancelA, ...more },
  ...s.toolsEnd(cancelA),
  s.turnEnd('ans', ['a']),
  s.runEnd('aborted'),
]
const limit: Line[] = [
  ...s.called(['a'], { maxTurns: 1 }),
  ...alone('a', 0, 1),
  ...s.toolsEnd(endA),
  s.turnEnd('ans', ['a']),
  { type: 'warning', code: 'max_turns', message: 'The limit is reached.' },
  s.runEnd('max_turns'),
]
const lastA = s.end('a', 'done', { result: { content: [], terminate: true } })
const terminating: Line[] = [
  ...s.called(['a']),
  s.start('a'),
  s.ready('a'),
  s.go('a'),
  lastA,
  ...s.toolsEnd(lastA),
  s.turnEnd('ans', ['a']),
  s.runEnd('terminated'),
]
const lostText =
  'Interrupted: the page closed or reloaded while this tool was running. It may or may not have completed. Check before retrying.'
const lostA = s.end('a', lostText, {
  isError: true,
  outcome: 'interrupted',
  errorKind: 'interrupted',
})
const lost: Line[] = [
  ...s.called(['a']),
  s.start('a'),
  s.ready('a'),
  s.go('a'),
  s.opened('boot_2'),
  lostA,
  ...s.toolsEnd(lostA),
  s.turnEnd('ans', ['a']),
  s.runEnd('interrupted'),
]
const manual: Line[] = [
  ...s.called(['a']),
  ...s.changed([s.start('a')], 'tool_execution_start', { place: 'client' }),
  s.ready('a'),
  s.turnEnd('ans', ['a']),
  s.runEnd('awaiting_tool_results'),
  { type: 'tool_result_staged', toolCallId: 'a', result: ended.result, isError: false },
  s.runStart({ trigger: 'continue' }),
  { ...ended, attempt: 0, mayHaveRun: false },
  ...s.toolsEnd(ended),
  s.turnStart,
  ...s.answer('done', [s.words('Done.')]),
  s.turnEnd('done'),
  s.runEnd('stop'),
]
const asks = (argsDigest: string): Line => ({
  type: 'tool_approval_requested',
  toolCallId: 'a',
  toolName: 'add',
  args: {},
  argsDigest,
})
const decides = (decision: 'approve' | 'deny', argsDigest = 'digest'): Line => ({
  type: 'tool_approval_resolved',
  toolCallId: 'a',
  decision,
  argsDigest,
})
const deniedA = s.unrun('a', 'denied')
const approved = (...then: readonly Line[]): Line[] => [
  ...s.called(['a']),
  s.start('a'),
  asks('digest'),
  ...then,
  s.turnEnd('ans', ['a']),
  ...s.finished(),
]
const branched: Line[] = [
  ...plain,
  { type: 'head_moved', messageId: null },
  s.runStart(),
  s.turnStart,
  ...s.said('again'),
  ...s.answer('other', [s.words('Hi.')]),
  s.turnEnd('other'),
  s.runEnd('stop'),
]
const failed = {
  kind: 'network',
  message: 'The line is dead.',
  retryable: true,
} as const
const retried: Line[] = [
  ...s.called(['a']),
  s.start('a'),
  s.ready('a'),
  s.go('a'),
  {
    type: 'auto_retry_start',
    scope: 'tool',
    toolCallId: 'a',
    attempt: 1,
    maxAttempts: 2,
    delayMs: 10,
    error: failed,
  },
  s.go('a', 2),
  { ...ended, attempt: 2 },
  ...s.toolsEnd(ended),
  s.turnEnd('ans', ['a']),
  ...s.finished(),
]
const child = { agentId: 'child', parentToolCallId: 'a' }
const nested: Line[] = [
  ...s.called(['a']),
  s.start('a'),
  s.ready('a'),
  s.go('a'),
  ...[
    s.runStart(),
    s.turnStart,
    ...s.said('ask_child'),
    ...s.answer('ans_child', [s.words('Yes.')]),
    s.turnEnd('ans_child'),
    s.runEnd('stop'),
  ].map((line) => ({ ...line, ...child })),
  ended,
  ...s.toolsEnd(ended),
  s.turnEnd('ans', ['a']),
  ...s.finished().slice(0, -1),
  s.runEnd('stop', 2, { usage: { inputTokens: 30, outputTokens: 15 } }),
]
const long = 'x'.repeat(300)
const cut = `${'x'.repeat(63)} 237 cut ${'x'.repeat(27)}`
const longA = s.end('a', long, { truncatedForModel: true })
const shortened = (text: string, end = longA): Line[] => [
  ...s.called(['a']),
  s.start('a'),
  s.ready('a'),
  s.go('a'),
  end,
  ...s.toolsEnd({ ...end, result: { content: [{ type: 'text', text }] } }),
  s.turnEnd('ans', ['a']),
  ...s.finished(),
]
const compacted: Line[] = [
  ...plain,
  { type: 'compaction_start', reason: 'manual' },
  {
    type: 'compaction_end',
    result: {
      summary: 'They greeted.',
      firstKeptMessageId: 'ans',
      tokensBefore: 9,
      tokensAfter: 3,
    },
    aborted: false,
  },
]
const [last] = [plain.length - 1]

const cases: { readonly [rule: string]: Case } = {
  I1: {
    good: plain,
    bad: {
      'a gap': [...plain.slice(0, 3), ...s.said('ask').map((line) => ({ ...line, seq: 9 }))],
      'a number for a passing event': s.changed(plain, 'message_update', { sub: 7 }),
    },
  },
  I2: {
    good: plain,
    bad: {
      'two runs at once': [s.opened(), s.runStart(), s.runStart()],
      'no end': plain.slice(0, -1),
      'an end without a beginning': [s.opened(), s.runEnd('stop')],
      'an event of another run': s.changed(plain, 'turn_start', { runId: 'run_7' }),
    },
  },
  I3: {
    good: plain,
    bad: {
      'a turn that is never closed': s.changed(plain, 'turn_end', null),
      'a turn within a turn': [...plain.slice(0, 3), s.turnStart],
      'two answers in a turn': [...plain.slice(0, -2), ...s.answer('two', [s.words('Oh.')])],
      'the wrong number': s.changed(plain, 'turn_end', { turn: 4 }),
    },
  },
  I4: {
    good: plain,
    bad: {
      'a message in a message': [...plain.slice(0, 4), ...s.said('other')],
      'an id used twice': [...plain.slice(0, -2), ...s.said('ask')],
      'an end without a beginning': s.changed(plain, 'message_start', null),
      'a delta of a message that is not open': s.changed(plain, 'message_update', {
        messageId: 'x',
      }),
      'a message that never ends': plain.slice(0, 7),
    },
  },
  I5: {
    good: plain,
    bad: { 'a delta that is missing': s.changed(plain, ['message_update', 1], null) },
  },
  I6: {
    good: oneCall,
    bad: {
      'a value that is no JSON': s.changed(oneCall, 'tool_prepared', {
        effectiveArgs: { at: new Date(0) as unknown as string },
      }),
      'a field that JSON forgets': s.changed(oneCall, 'tool_progress', {
        total: undefined as never,
      }),
    },
  },
  I7: {
    good: oneCall,
    bad: {
      'a call without a result': [...s.called(['a']), s.turnEnd('ans', ['a']), s.runEnd('stop')],
      'a second start': [...oneCall.slice(0, 12), s.start('a')],
      'an id of an earlier call': s.called(['a', 'a']),
      'a call that ends in a later turn': [
        ...s.called(['a']),
        s.turnEnd('ans', ['a']),
        s.turnStart,
      ],
      'a failure that is drawn as success': s.changed(oneCall, 'tool_execution_end', {
        outcome: 'failed',
        errorKind: 'failed',
      }),
    },
  },
  I8: {
    good: oneCall,
    bad: { 'a call that no answer made': [...plain.slice(0, 5), s.start('a')] },
  },
  I9: {
    good: parallel,
    bad: {
      'starts in another order': [
        ...s.called(['a', 'b']),
        s.start('b', [1, 2]),
        s.start('a', [0, 2]),
      ],
      'a start after a dispatch': [
        ...s.called(['a', 'b']),
        s.start('a', [0, 2]),
        s.ready('a'),
        s.go('a'),
        s.start('b', [1, 2]),
        s.ready('b'),
        s.go('b'),
      ],
    },
  },
  I10: {
    good: oneCall,
    bad: {
      'a dispatch of what is not prepared': s.changed(oneCall, 'tool_prepared', null),
      'progress before the dispatch': [...oneCall.slice(0, 10), s.start('a'), s.progress('a')],
      'progress after the end': [...oneCall.slice(0, 16), s.progress('a')],
    },
  },
  I12: {
    good: parallel,
    bad: {
      'no tools_end': s.changed(parallel, 'tools_end', null),
      'an end that is missing': s.changed(parallel, 'tool_execution_end', null),
      'results in finishing order': [...parallel.slice(0, 20), ...s.toolsEnd(endB, endA)],
      'a result message that differs': s.changed(parallel, 'tools_end', {
        toolMessages: [],
      }),
    },
  },
  I13: {
    good: parallel,
    bad: { 'a message before the results': [...parallel.slice(0, 14), ...s.said('oh', 'Oh.')] },
  },
  I14: {
    good: sequential,
    bad: {
      'two at once': [
        ...s.called(['a', 'b'], { toolExecution: 'sequential' }),
        s.start('a', [0, 2]),
        s.start('b', [1, 2]),
        s.ready('a'),
        s.ready('b'),
        s.go('a'),
        s.go('b'),
      ],
      'one by one although they may run together': [
        ...s.called(['a', 'b']),
        s.start('a', [0, 2]),
        s.ready('a'),
        s.go('a'),
      ],
      'more than a batch holds': [
        ...s.called(['a', 'b', 'c'], { toolExecution: { type: 'batched', size: 2 } }),
        s.start('a', [0, 3]),
        s.start('b', [1, 3]),
        s.start('c', [2, 3]),
        s.ready('a'),
        s.go('a'),
      ],
      'a barrier that holds nothing back': [
        ...s.called([]).slice(0, 5),
        ...s.answer('ans', [s.call('a'), s.call('b', 'barrier')]),
        s.start('a', [0, 2]),
        s.start('b', [1, 2], { toolName: 'barrier' }),
        s.ready('a'),
        s.go('a'),
      ],
    },
    options: { tools: { barrier: { sequential: true } } },
  },
  I16: {
    good: skipping,
    bad: {
      'a call that runs although there is steering': steered(
        ...alone('b', 1, 2),
        ...s.toolsEnd(endA, endB),
      ),
      'a skip without steering': s.changed(skipping, 'queue_update', null),
      'a skip of what had been prepared': steered(
        s.start('b', [1, 2]),
        s.ready('b'),
        skipB,
        ...s.toolsEnd(endA, skipB),
      ),
      'a skip in the first unit': [
        ...s.called(['b']),
        s.queues(['Wait!']),
        s.start('b', [0, 1]),
        skipB,
      ],
    },
  },
  I17: {
    good: approved(decides('approve'), s.ready('a'), s.go('a'), ended, ...s.toolsEnd(ended)),
    bad: {
      'an answer with an old digest': approved(decides('approve', 'old')),
      'a call that does not wait': approved(s.ready('a')),
      'a denied call that runs': approved(decides('deny'), s.ready('a')),
      'a denied call that ends otherwise': approved(decides('deny'), s.unrun('a', 'failed')),
      'an approval that was not requested': [...s.called(['a']), s.start('a'), decides('approve')],
    },
  },
  'I9 left': {
    good: [
      ...s.called(['a', 'b'], { toolExecution: 'sequential' }),
      s.start('a', [0, 2]),
      s.ready('a'),
      s.go('a'),
      s.aborted,
      s.start('b', [1, 2]),
      cancelB,
      cancelA,
      ...s.toolsEnd(cancelA, cancelB),
      s.turnEnd('ans', ['a', 'b']),
      s.runEnd('aborted'),
    ],
    bad: {},
  },
  'I17 denied': { good: approved(decides('deny'), deniedA, ...s.toolsEnd(deniedA)), bad: {} },
  I18: {
    good: cutOff,
    bad: {
      'a call that runs': [...cutOff.slice(0, 11), s.ready('a'), s.go('a')],
      'another text': s.changed(cutOff, 'tool_execution_end', {
        result: { content: [{ type: 'text', text: 'No.' }] },
      }),
    },
  },
  I19: {
    good: shortened(cut),
    bad: {
      'more than the limit': shortened(long),
      'nearly nothing left of it': shortened('No.'),
      'a change of what fits': shortened('other', s.end('a', 'short')),
      'a cut that is denied': shortened(cut, s.end('a', long)),
    },
    options: { maxToolResultChars: 120 },
  },
  I20: {
    good: stopped,
    bad: {
      'another reason': s.changed(stopped, 'agent_end', { reason: 'stop' }),
      'an abort that was not requested': s.changed(plain, 'agent_end', { reason: 'aborted' }),
      'a dispatch afterwards': [
        ...s.called(['a']),
        s.start('a'),
        s.ready('a'),
        s.aborted,
        s.go('a'),
      ],
      'a request afterwards': [...plain.slice(0, 5), s.aborted, ...s.answer('ans', [])],
      'an end that is late': s.changed(stopped, 'agent_end', { ts: 9000 }),
    },
  },
  I21: {
    good: oneCall,
    bad: {
      'a call that runs on': s.changed(oneCall, 'tool_execution_end', {
        timing: { queuedMs: 0, startMs: 0, runMs: 900 },
      }),
      'a call that ends late': s.changed(oneCall, 'tool_execution_end', { ts: 9000 }),
    },
    options: { tools: { add: { timeoutMs: 100 } } },
  },
  I22: {
    good: limit,
    bad: {
      'one turn too many': s.changed(oneCall, 'agent_start', { maxTurns: 1 }),
      'a flag without its reason': s.changed(plain, 'agent_end', { maxTurnsReached: true }),
      'a limit that is not reached': s.changed(limit, 'agent_start', { maxTurns: 2 }),
      'nothing more to do': [
        ...s.changed(plain, 'agent_start', { maxTurns: 1 }).slice(0, last),
        s.runEnd('max_turns'),
      ],
      'no warning': s.changed(limit, 'warning', null),
    },
  },
  I23: {
    good: plain,
    bad: {
      'an answer with calls': [...limit.slice(0, -2), s.runEnd('stop')],
      'a message that waits': [...plain.slice(0, last), s.queues(['Oh.']), s.runEnd('stop')],
      'an error without one': s.changed(plain, 'agent_end', { reason: 'error' }),
    },
  },
  I24: {
    good: terminating,
    bad: {
      'results that do not say so': [...limit.slice(0, -2), s.runEnd('terminated')],
      'another word in tools_end': s.changed(terminating, 'tools_end', { terminate: false }),
    },
  },
  I25: {
    good: plain,
    bad: {
      'an event of a run that is over': [...plain, { ...s.queues(['Oh.']), runId: 'run_1' }],
    },
  },
  I26: {
    good: skipping,
    bad: {
      'a message that was not queued': s.changed(skipping, 'queue_update', { steering: [] }),
      'a message that is lost': [
        ...plain.slice(0, 3),
        s.queues(['One.', 'Two.']),
        s.queues(['Two.']),
        ...plain.slice(3, last),
        s.runEnd('interrupted'),
      ],
      'a follow-up before steering': [
        ...plain.slice(0, 3),
        s.queues(['One.'], ['Two.']),
        ...s.said('two', 'Two.', 'follow_up'),
      ],
    },
  },
  Q3: {
    good: [
      ...plain.slice(0, 3),
      s.queues(['One.', 'Two.', 'Three.'], ['Four.', 'Five.']),
      taken(['One.', 'Three.'], ['Four.', 'Five.']),
      taken(['One.', 'Three.', 'Four.'], ['Five.']),
      s.queues([]),
      ...plain.slice(3),
    ],
    bad: {
      'two messages that are taken out': [
        ...plain.slice(0, 3),
        s.queues(['One.', 'Two.', 'Three.']),
        taken(['Three.']),
        ...plain.slice(3),
      ],
      'a message that changes its place': [
        ...plain.slice(0, 3),
        s.queues(['One.', 'Two.', 'Three.']),
        taken(['Three.', 'One.']),
        ...plain.slice(3),
      ],
      'a message that becomes a follow-up': [
        ...plain.slice(0, 3),
        s.queues(['One.']),
        taken([], ['One.']),
        ...plain.slice(3),
      ],
    },
  },
  I27: {
    good: plain,
    bad: {
      'a prompt in a run without one': s.changed(plain, 'agent_start', { trigger: 'continue' }),
      'two prompts': [...plain.slice(0, 5), ...s.said('more')],
    },
  },
  I29: {
    good: lost,
    bad: {
      'a torn answer that is kept': [
        ...plain.slice(0, 6),
        s.opened('boot_2'),
        ...plain.slice(9, last - 1),
      ],
    },
  },
  I31: {
    good: nested,
    bad: {
      'a usage of its own': s.changed(plain, 'agent_end', {
        usage: { inputTokens: 1, outputTokens: 1 },
      }),
      'a turn that counts another': s.changed(plain, 'turn_end', {
        usage: { inputTokens: 1, outputTokens: 1 },
      }),
      'another number of turns': s.changed(plain, 'agent_end', { turns: 3 }),
      'a sub-agent that is forgotten': [...nested.slice(0, -1), s.runEnd('stop', 2)],
    },
  },
  I32: {
    good: manual,
    bad: {
      'a call that runs': [...s.called(['a']), ...alone('a', 0, 1)],
      'an answer before its checks': s.changed(manual, 'tool_prepared', null),
    },
    options: { toolMode: 'manual' },
  },
  I33: {
    good: retried,
    bad: {
      'a second attempt without a retry': s.changed(retried, 'auto_retry_start', null),
      'an execution id used twice': s.changed(retried, ['tool_dispatched', 1], {
        executionId: 'a_1',
      }),
      'an end that denies that it ran': s.changed(oneCall, 'tool_execution_end', {
        mayHaveRun: false,
      }),
    },
  },
  R4: {
    good: plain,
    bad: { 'another attempt of a tool without `retry`': retried },
    options: { tools: { add: {} } },
  },
  I36: {
    good: plain,
    bad: {
      'a secret in an event': s.changed(plain, 'agent_start', {
        model: { provider: 'x', id: 'sk-1234' },
      }),
    },
    options: { secrets: ['sk-1234'] },
  },
  I37: {
    good: branched,
    bad: {
      'a message that follows another branch': [
        ...branched.slice(0, last + 2),
        ...branched.slice(last + 2, last + 4),
        ...s.said('again').map(
          (line) =>
            ({
              ...line,
              message: { ...((line as never)['message'] as object), parentId: 'ans' },
            }) as Line,
        ),
      ],
      'a move to nowhere': s.changed(branched, 'head_moved', { messageId: 'nowhere' }),
      'a move during a run': [...plain.slice(0, last), { type: 'head_moved', messageId: null }],
      'a failed answer that is kept': [
        ...plain.slice(0, 5),
        ...s.answer('ans', [s.words('Oh')], { stopReason: 'error' }),
      ],
    },
  },
  'I37 summed up': { good: compacted, bad: {} },
  I28: {
    good: compacted,
    bad: {
      'a history that is cut inside a call': [
        ...oneCall,
        {
          type: 'compaction_end',
          result: {
            summary: 'Added.',
            firstKeptMessageId: 'result_a',
            tokensBefore: 9,
            tokensAfter: 3,
          },
          aborted: false,
        },
      ],
    },
  },
  D91: {
    good: halfDone(kept),
    bad: {
      'a partial result that is lost': halfDone({}),
      'one of before': halfDone({ partialResult: half('One.') }),
      'one of a call that succeeded': s.changed(oneCall, 'tool_execution_end', kept),
    },
    options: { hooks: { afterToolCall: false } },
  },
  D137: {
    good: logged({ logs: endOfLog }),
    bad: {
      'a log that is lost': logged({}),
      'its beginning': logged({ logs: { ...endOfLog, lines: lines.slice(0, 20) } }),
      'too much of it': logged({ logs: { lines, dropped: 3 } }),
      'lines that are not counted': logged({ logs: { ...endOfLog, dropped: 5 } }),
    },
    options: { hooks: { afterToolCall: false } },
  },
  I38: {
    good: lost,
    bad: {
      'a call that is run again': [...lost.slice(0, 14), s.go('a', 2)],
      'a model that is asked again': [...lost.slice(0, -1), s.turnStart],
      'a run that ends as if nothing had been': s.changed(lost, 'agent_end', {
        reason: 'terminated',
      }),
      'a boot that is no other': s.changed(lost, ['session_opened', 1], { bootId: 'boot_1' }),
      'an interruption that never was': [...lost.slice(0, 13), ...lost.slice(14)],
    },
  },
}

const usual: RuleOptions = { judgeEvery: 0 }

test.each(Object.entries(cases))(
  '%s: a log that keeps it is not reported',
  (_, { good, options }) => {
    expect(brokenIn(good, options)).toEqual([])
  },
)

const wrong = Object.entries(cases).flatMap(([rule, { bad, options }]) =>
  Object.entries(bad).map(([what, lines]) => ({ rule, what, lines, options })),
)

test.each(wrong)('$rule: reports $what', ({ rule, what, lines, options }) => {
  const reports = brokenIn(lines, options)

  // Rules that judge only the end would hide that nothing else was found.
  const isOpenEnd = lines.at(-1)?.type !== 'agent_end' && !/^no end|never ends$/.test(what)
  expect(
    reports
      .filter((one) => !isOpenEnd || !one.includes('at the end'))
      .map((one) => one.split(' ')[0]),
  ).toContain(rule)
})

test('a report says which rule, where, and why', () => {
  expect(brokenIn(s.changed(oneCall, 'tool_prepared', null))).toContain(
    'I10 at 8 tool_dispatched: it was started',
  )
})

test('[I19] a result that was redacted may have been cut before', () => {
  const result = { content: [{ type: 'text', text: '[redacted]' }], redacted: true } as const
  const log = shortened('[redacted]', s.end('a', '', { result, truncatedForModel: true }))

  expect(brokenIn(log, { maxToolResultChars: 120 })).toEqual([])
})

test('[I38] a call that was cut off may find no worker for its next attempt, and does not end otherwise', () => {
  const endsWith = (errorKind: 'crashed' | 'failed') => {
    const end = s.end('a', 'No.', { outcome: 'failed', isError: true, errorKind })
    return [
      ...lost.slice(0, lost.indexOf(lostA)),
      retried.filter(({ type }) => type === 'auto_retry_start'),
      s.turnEnd('ans', ['a']),
      s.runEnd('interrupted'),
      s.runStart({ trigger: 'continue' }),
      end,
      ...s.toolsEnd(end),
      ...s.finished().slice(0, -1),
      s.runEnd('stop'),
    ].flat()
  }
  const options: RuleOptions = { tools: { add: { onInterrupt: 'rerun' } } }

  expect(brokenIn(endsWith('crashed'), options)).toEqual([])
  expect(brokenIn(endsWith('failed'), options)).toEqual([
    expect.stringMatching(/^I38 .* it was lost and is not interrupted$/),
  ])
})

test('[I38] [R5] a retried call that waits for a person is not cut off with its page', () => {
  const failedA = s.end('a', 'No.', { outcome: 'failed', isError: true, errorKind: 'failed' })
  const againA = { ...endA, attempt: 2 }
  const reopened: Line[] = [
    ...parallel.slice(0, parallel.indexOf(endB)),
    failedA,
    { type: 'tool_retry_requested', toolCallId: 'a', by: 'user' },
    s.start('a', [0, 2]),
    asks('digest'),
    s.opened('boot_2'),
    { ...lostA, toolCallId: 'b' },
    decides('approve'),
    s.ready('a'),
    s.go('a', 2),
    againA,
  ]

  expect(brokenIn(reopened).filter((one) => !one.includes('at the end'))).toEqual([])
})

test('[I9] calls whose starts were cut apart run side by side', () => {
  const goesOn = (...before: Line[]) => [
    ...s.called(['a', 'b']),
    s.start('a', [0, 2]),
    ...before,
    s.opened('boot_2'),
    s.turnEnd('ans', ['a', 'b']),
    s.runEnd('interrupted'),
    s.runStart({ trigger: 'continue' }),
    s.start('b', [1, 2]),
    s.ready('a'),
    s.ready('b'),
    s.go('b'),
  ]
  const brokenI9 = (lines: readonly Line[]) =>
    brokenIn(lines, { tools: { add: { onInterrupt: 'rerun' } } }).filter((one) =>
      one.startsWith('I9'),
    )

  expect(brokenI9(goesOn())).toEqual([])
  expect(brokenI9(goesOn(s.ready('a')))).toEqual([
    expect.stringMatching(/^I9 .* it started before the unit before was done$/),
  ])
})

test('[I38] [R5] a retried call whose page ended before it ran again may find no worker, and does not end otherwise', () => {
  const failedA = s.end('a', 'No.', { outcome: 'failed', isError: true, errorKind: 'failed' })
  const endsWith = (errorKind: 'crashed' | 'failed'): Line[] => [
    ...parallel.slice(0, parallel.indexOf(endB)),
    failedA,
    { type: 'tool_retry_requested', toolCallId: 'a', by: 'user' },
    s.start('a', [0, 2]),
    s.ready('a'),
    s.opened('boot_2'),
    { ...lostA, toolCallId: 'b' },
    s.turnEnd('ans', ['a', 'b']),
    s.runEnd('interrupted'),
    s.runStart({ trigger: 'continue' }),
    s.end('a', 'No.', { outcome: 'failed', isError: true, errorKind }),
  ]
  const lostIn = (lines: readonly Line[]) =>
    brokenIn(lines, { tools: { add: { onInterrupt: 'rerun' } } }).filter((one) =>
      one.startsWith('I38'),
    )

  expect(lostIn(endsWith('crashed'))).toEqual([])
  expect(lostIn(endsWith('failed'))).toEqual([
    expect.stringMatching(/^I38 .* it was lost and is not interrupted$/),
  ])
})

test('[I9] [R6] calls that were skipped run beside each other when they are retried', () => {
  const again = (toolCallId: string): Line => ({
    type: 'tool_retry_requested',
    ...{ toolCallId, by: 'user' },
  })
  const skipped = (toolCallId: string, index: number): Line[] => [
    s.start(toolCallId, [index, 4]),
    s.unrun(toolCallId, 'skipped', { text: skippedText }),
  ]
  const lines: Line[] = [
    ...s.called(['a', 'b', 'c', 'd'], { toolExecution: { type: 'batched', size: 2 } }),
    ...[s.start('a', [0, 4]), s.start('b', [1, 4]), s.ready('a'), s.ready('b')],
    ...[s.go('a'), s.go('b'), s.queues(['Wait!']), endA, endB, again('b')],
    ...[...skipped('c', 2), ...skipped('d', 3), s.start('b', [1, 4]), s.ready('b'), s.go('b', 2)],
    ...[again('c'), again('d'), { ...endB, attempt: 2 }],
    ...[s.start('c', [2, 4]), s.ready('c'), s.start('d', [3, 4]), s.ready('d')],
    ...[s.go('c'), s.go('d')],
  ]
  const early = lines.toSpliced(lines.indexOf(endA), 1).toSpliced(-10)

  expect(brokenIn(lines).filter((one) => !one.includes('at the end'))).toEqual([])
  expect(brokenIn(early).filter((one) => one.startsWith('I16'))).not.toEqual([])
})

/** The queues after a person took one message out. */
function taken(steering: readonly string[], followUp: readonly string[] = []): Line {
  return { ...s.queues(steering, followUp), by: 'user' } as Line
}

function brokenIn(lines: readonly Line[], options: RuleOptions = {}): readonly string[] {
  const rules = createRules({ ...usual, ...options })
  for (const event of s.story(lines)) rules.see(event)
  rules.rest()
  return rules.broken
}
