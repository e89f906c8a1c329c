import type { Mark, MarkKind, Phase, PhaseKind } from '@offthread/core/log'
import { shownName } from '../parts/shown-text.ts'
import { formatMs } from '../rows/format-ms.ts'
import type { LanePhase } from './lane-row.ts'
import type { PlacedRow } from './rows-of-run.ts'

type Row = PlacedRow['row']

/** The names of phases for people. */
export const phaseWords: Readonly<Record<PhaseKind, string>> = {
  asking: 'first token',
  streaming: 'streaming',
  input: 'input',
  waiting: 'waiting',
  approval: 'approval',
  answer: 'answer of the page',
  starting: 'start-up',
  running: 'running',
  cancelling: 'cancelling',
  pausing: 'retry pause',
}

/** The time a row spent, divided as the columns of a table are. */
export interface SpentTime {
  /** The time in which the model wrote the input. */
  readonly input: number
  /** The time in which the row waited: for the model, a person, a slot or another attempt. */
  readonly waiting: number
  readonly starting: number
  /** The time in which the row worked, until it ended or was cut off. */
  readonly running: number
}

const columns: Readonly<Record<PhaseKind, keyof SpentTime>> = {
  asking: 'waiting',
  streaming: 'running',
  input: 'input',
  waiting: 'waiting',
  approval: 'waiting',
  answer: 'waiting',
  starting: 'starting',
  running: 'running',
  cancelling: 'running',
  pausing: 'waiting',
}

/** What a row spent its time on, in milliseconds. A phase that goes on counts up to `now`. */
export function spentBy({ phases }: Row, now: number): SpentTime {
  const spent = { input: 0, waiting: 0, starting: 0, running: 0 }
  for (const { kind, startedAt, endedAt } of phases) {
    spent[columns[kind]] += Math.max(0, (endedAt ?? now) - startedAt)
  }
  return spent
}

/** How long a row took, from its first phase to its last. */
export function durationOf({ phases }: Row, now: number): number {
  const [first, last] = [phases[0], phases.at(-1)]
  return first && last ? Math.max(0, (last.endedAt ?? now) - first.startedAt) : 0
}

/** The name of a row for people. */
export function labelOf({ kind, parentId, label }: Row): string {
  if (kind !== 'run') return shownName(label)
  return parentId === null ? 'Run' : 'Agent'
}

/** The words of the log for which people use others. */
const endWords: ReadonlyMap<string, string> = new Map([
  ['stop', 'done'],
  ['tool_use', 'called tools'],
  ['terminated', 'ended by a tool'],
  ['aborted', 'stopped'],
  ['error', 'failed'],
  ['max_turns', 'out of turns'],
  ['max_tokens', 'cut off'],
  ['budget', 'out of budget'],
  ['context_overflow', 'too long'],
  ['refusal', 'refused'],
])

/** How a row ended, or what it does now. */
export function stateOf(row: Row): string {
  if (row.kind === 'lane') return row.calls === 1 ? '1 call' : `${row.calls} calls`
  const { end, phases } = row
  const last = phases.at(-1)
  if (end !== null) return endWords.get(end) ?? end.replaceAll('_', ' ')
  return last && last.endedAt === null ? phaseWords[last.kind] : 'not ended'
}

/** A row in one sentence, for a screen reader: `Query, succeeded, started at 1.2 s, took 3.4 s: waiting 120 ms, …`. */
export function rowName(row: Row, startedAt: number): string {
  const began = (row.phases[0]?.startedAt ?? startedAt) - startedAt
  const last = row.phases.at(-1)
  const words = [labelOf(row), stateOf(row), `started at ${formatMs(began)}`]
  const marks = row.marks.map((mark) => `; ${markName(mark, startedAt)}`).join('')
  if (!last || last.endedAt === null) return words.join(', ') + marks
  const took = `took ${formatMs(durationOf(row, last.endedAt))}`
  const phases = row.phases.filter(takesTime).map(phaseName)
  return `${[...words, took].join(', ')}${phases.length > 0 ? `: ${phases.join(', ')}` : ''}${marks}`
}

/** The names of marks for people. */
const markWords: Readonly<Record<MarkKind, string>> = {
  steering: 'steering',
  follow_up: 'follow-up',
  stop: 'stop',
  retry: 'retry',
  summary: 'summary',
  repair: 'repair',
  warning: 'warning',
  approval: 'approval',
  error: 'error',
}

/** What distinguishes a mark from the others of its row. */
export function keyOfMark({ kind, at, label }: Mark): string {
  return `${kind} ${at} ${label}`
}

/** The name of a mark: `steering at 1.2 s: Be short.` */
export function markName({ kind, at, label }: Mark, startedAt: number): string {
  const moment = `${markWords[kind]} at ${formatMs(at - startedAt)}`
  return label === '' ? moment : `${moment}: ${shownName(label)}`
}

/**
 * The name of a phase: `running 3.4 s`. In a lane it starts with the name of the call, and from the second attempt on
 * it says which attempt it is.
 */
export function phaseName(phase: Phase | LanePhase): string {
  const { kind, attempt, startedAt, endedAt } = phase
  const time = endedAt === null ? '' : ` ${formatMs(endedAt - startedAt)}`
  const name = 'label' in phase ? `${shownName(phase.label)} ` : ''
  return `${name}${phaseWords[kind]}${time}${attempt > 1 ? ` (attempt ${attempt})` : ''}`
}

/** Whether a phase goes on, or took any time. */
export function takesTime({ startedAt, endedAt }: Phase): boolean {
  return endedAt !== startedAt
}
