import { allFaults, type Fault } from './plans/faults.ts'
import type { Injections } from './world/injections.ts'

const states = [
  'opening',
  'ready',
  'submitted',
  'streaming',
  'running_tools',
  'awaiting_approval',
  'awaiting_tool_results',
  'retrying',
  'compacting',
  'stopping',
  'error',
] as const
type State = (typeof states)[number]

/** The table of faults by the state the agent was in when they happened. */
export function coverageTable(injections: Injections): string {
  const rows = allFaults.map((fault) => [
    fault,
    ...states.map((state) => cell(injections, fault, state)),
  ])
  const head = ['', ...states.map((state) => state.replaceAll('_', ' ').slice(0, 14))]
  const widths = head.map((_, at) =>
    Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)),
  )
  return [head, ...rows]
    .map((row) => row.map((text, at) => pad(text, widths[at] ?? 0, at)).join('  '))
    .join('\n')
}

function pad(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width)
}

function cell(injections: Injections, fault: Fault, state: State): string {
  const count = injections.get(`${fault}\t${state}`)
  if (count !== undefined) return String(count)
  return isReachable(fault, state) ? '0!' : '·'
}

/** The cells that should have a count, and have none. */
export function emptyCells(injections: Injections): readonly string[] {
  return allFaults.flatMap((fault) =>
    states
      .filter((state) => isReachable(fault, state) && !injections.has(`${fault}\t${state}`))
      .map((state) => `${fault} in ${state}`),
  )
}

/** The states in which a fault can happen. Others are counted as well, but not required. */
const reachable: readonly (readonly [fault: RegExp, states: readonly State[]])[] = [
  [/^tool_/, ['running_tools']],
  [/^model_(?!deaf|misfit|max|ref|pau|open)/, ['submitted', 'streaming']],
  [/^model_(max_tokens|refusal|pause_turn|open_block|deaf|misfit)/, ['streaming']],
  [/^user_/, ['ready', 'submitted', 'streaming', 'running_tools', 'stopping', 'retrying']],
  [/^user_(?!cancel)/, ['compacting', 'error']],
  [/^user_(approve|deny|edit|stale|cancel)/, ['awaiting_approval']],
  [/^user_/, ['awaiting_tool_results']],
  [/^user_reload/, ['opening']],
  [/^storage_(?!load)/, ['submitted', 'streaming', 'running_tools', 'ready']],
]

/** Faults that have no object in these states: there is no call to cancel, or no approval to answer. */
const impossible: readonly RegExp[] = [
  /^user_(cancel|answer_call)\t(ready|submitted|streaming|stopping|retrying|compacting|error)/,
  /^user_(approve|deny|edit|stale_approval)\t(?!awaiting_approval|running_tools)/,
]

function isReachable(fault: Fault, state: State): boolean {
  if (impossible.some((pattern) => pattern.test(`${fault}\t${state}`))) return false
  return reachable.some(([pattern, list]) => pattern.test(fault) && list.includes(state))
}
