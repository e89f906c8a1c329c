import {
  type Action,
  type AppendFault,
  appendFaults,
  type Behaviour,
  behaviours,
  type EndPlan,
  type FailureKind,
  type FileFault,
  failureKinds,
  fileFaults,
  type LoadPlan,
  type MessageFault,
  messageFaults,
  type PageAction,
  pageActions,
  type StartFault,
  startFaults,
} from '../plan.ts'

/**
 * Everything that may go wrong, or that a user may do, by its name in the coverage table. A plan may use only a few
 * of them, because faults that always occur together hide what one does alone.
 */
export type Fault =
  | `tool_${Behaviour | StartFault}`
  | `model_${FailureKind | ModelFault}`
  | `user_${Action}`
  | `storage_${AppendFault | LoadPlan['fault'] | MessageFault | FileFault}`

const modelFaults = [
  'breaks_off',
  'stalls',
  'garbled',
  'open_block',
  'throws',
  'max_tokens',
  'refusal',
  'pause_turn',
  'deaf',
  'misfit',
] as const
type ModelFault = (typeof modelFaults)[number]

const userActions: readonly Exclude<Action, PageAction>[] = [
  'prompt',
  'prompt_with_signal',
  'steer',
  'follow_up',
  'clear_queues',
  'take_queued',
  'abort',
  'cancel',
  'retry',
  'retry_again',
  'approve',
  'deny',
  'edit',
  'stale_approval',
  'answer_call',
  'continue',
  'regenerate',
  'move_head',
  'redact',
  'configure',
  'reload',
]

const loadFaults = ['load_fails', 'load_hangs', 'load_slow'] as const

const toolFaults = behaviours.filter((does) => does !== 'fine' && does !== 'reports')

export const allFaults: readonly Fault[] = [
  ...toolFaults.map((does) => `tool_${does}` as const),
  ...startFaults.map((fault) => `tool_${fault}` as const),
  ...failureKinds.map((kind) => `model_${kind}` as const),
  ...modelFaults.map((kind) => `model_${kind}` as const),
  ...[...userActions, ...pageActions].map((action) => `user_${action}` as const),
  ...messageFaults.map((fault) => `storage_${fault}` as const),
  ...appendFaults.map((fault) => `storage_${fault}` as const),
  ...loadFaults.map((fault) => `storage_${fault}` as const),
  ...fileFaults.map((fault) => `storage_${fault}` as const),
]

/** The faults that a plan may use, by where they happen. */
export interface Palette {
  readonly tools: readonly Behaviour[]
  readonly starts: readonly StartFault[]
  readonly ends: readonly EndPlan[]
  readonly deaf: boolean
  readonly misfit: boolean
  readonly actions: readonly Action[]
  readonly appends: readonly AppendFault[]
  readonly loads: readonly LoadPlan['fault'][]
  readonly files: readonly FileFault[]
  readonly pages: readonly PageAction[]
  readonly messages: readonly MessageFault[]
}

export function paletteOf(faults: readonly Fault[]): Palette {
  const has = (name: Fault): boolean => faults.includes(name)
  return {
    tools: toolFaults.filter((does) => has(`tool_${does}`)),
    starts: startFaults.filter((fault) => has(`tool_${fault}`)),
    ends: [
      ...failureKinds.filter((kind) => has(`model_${kind}`)).map((fail): EndPlan => ({ fail })),
      ...modelFaults.filter((kind) => has(`model_${kind}`)).flatMap(endOf),
    ],
    deaf: has('model_deaf'),
    misfit: has('model_misfit'),
    actions: userActions.filter((action) => has(`user_${action}`)),
    appends: appendFaults.filter((fault) => has(`storage_${fault}`)),
    loads: loadFaults.filter((fault) => has(`storage_${fault}`)),
    files: fileFaults.filter((fault) => has(`storage_${fault}`)),
    pages: pageActions.filter((action) => action !== 'open_page' && has(`user_${action}`)),
    messages: messageFaults.filter((fault) => has(`storage_${fault}`)),
  }
}

function endOf(kind: ModelFault): readonly EndPlan[] {
  switch (kind) {
    case 'deaf':
    case 'misfit':
      return []
    case 'max_tokens':
    case 'refusal':
    case 'pause_turn':
      return [{ stop: kind }]
    default:
      return [{ broken: kind }]
  }
}
