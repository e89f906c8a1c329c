import {
  type AppendFault,
  appendFaults,
  type Behaviour,
  behaviours,
  type EndPlan,
  type OptionsPlan,
  type Plan,
  type StartFault,
  startFaults,
} from '../plan.ts'

/** Fixed sessions for the exhaustive modes: a little of everything, with every strategy. */
export const scripts: readonly Plan[] = (
  ['parallel', 'sequential', { type: 'batched', size: 2 }] as const
).map((toolExecution) => scriptWith({ toolExecution }))

/** A session of three turns: text, parallel calls, one that needs approval, one that is retried. */
export function scriptWith(options: OptionsPlan): Plan {
  return {
    seed: 0,
    options,
    answers: [
      {
        parts: [
          { think: 'Hm.' },
          { say: 'Let me see.' },
          { call: 'work', does: 'reports', ms: 5 },
          { call: 'alone', does: 'fine', ms: 5 },
          { call: 'repeat', does: 'throws', ms: 1 },
        ],
        end: { stop: 'tool_use' },
        paceMs: 1,
      },
      {
        parts: [
          { call: 'ask', does: 'fine', ms: 1 },
          { call: 'retry', does: 'crashes', ms: 1 },
        ],
        end: { stop: 'tool_use' },
      },
    ],
    starts: [],
    actions: [
      { at: { seq: 10 }, do: 'steer', text: 'And this.' },
      { at: { ms: 60 }, do: 'approve', pick: 0 },
      { at: { ms: 400 }, do: 'follow_up', text: 'One more.' },
    ],
    appends: [],
  }
}

const ends: readonly EndPlan[] = [
  { stop: 'max_tokens' },
  { stop: 'refusal' },
  { stop: 'pause_turn' },
  { fail: 'network' },
  { fail: 'auth' },
  { broken: 'breaks_off' },
  { broken: 'stalls' },
  { broken: 'garbled' },
]

/** A plan with one thing gone wrong. */
export interface Spoilt {
  readonly what: string
  readonly spoil: (plan: Plan) => Plan
}

/** Every fault that a script can have, once each. */
export const spoilings: readonly Spoilt[] = [
  ...behaviours.map((does) => ({ what: does, spoil: (plan: Plan) => withBehaviour(plan, does) })),
  ...startFaults.map((fault) => ({ what: fault, spoil: (plan: Plan) => withStart(plan, fault) })),
  ...appendFaults.flatMap((fault) =>
    [0, 4].map((append) => ({
      what: `${fault} append ${append}`,
      spoil: (plan: Plan) => withAppend(plan, fault, append),
    })),
  ),
  ...ends.map((end) => ({ what: JSON.stringify(end), spoil: (plan: Plan) => withEnd(plan, end) })),
  ...(['abort', 'clear_queues', 'continue', 'regenerate'] as const).map((what) => ({
    what,
    spoil: (plan: Plan) => withAction(plan, { at: { step: 14 }, do: what }),
  })),
  ...(['disposed', 'crash_losing', 'crash_keeping'] as const).map((how) => ({
    what: how,
    spoil: (plan: Plan) => withAction(plan, { at: { step: 12 }, do: 'reload', how }),
  })),
]

function withBehaviour(plan: Plan, does: Behaviour): Plan {
  return {
    ...plan,
    answers: plan.answers.map((answer, index) =>
      index > 0
        ? answer
        : {
            ...answer,
            parts: answer.parts.map((part) =>
              'call' in part && part.call === 'work' ? { ...part, does } : part,
            ),
          },
    ),
  }
}

function withStart(plan: Plan, fault: StartFault): Plan {
  return { ...plan, starts: [...plan.starts, { worker: 1, fault }] }
}

function withAppend(plan: Plan, fault: AppendFault, append: number): Plan {
  return { ...plan, appends: [...plan.appends, { append, fault, ms: 10 }] }
}

function withEnd(plan: Plan, end: EndPlan): Plan {
  const [first, ...rest] = plan.answers
  return first ? { ...plan, answers: [{ ...first, end }, ...rest] } : plan
}

function withAction(plan: Plan, action: Plan['actions'][number]): Plan {
  return { ...plan, actions: [...plan.actions, action] }
}
