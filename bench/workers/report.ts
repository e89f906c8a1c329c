import { median, quantile } from './statistics.ts'

/** A goal missed by more than this factor is no noise of the machine: the run fails. */
const wideMargin = 1.25

/** Prints what was measured, and whether the goals are met. */
export interface Report {
  readonly line: (text: string) => void
  readonly head: (title: string, columns?: readonly string[]) => void
  /** A line of times, beside those of a raw worker. */
  readonly row: (what: string, times: Times) => void
  /** A goal for a number that should be small: missed by far, it fails the run. */
  readonly atMost: (what: string, goal: Goal) => void
  /** The same against a raw worker that does less: the line says whether it is met, but it fails nothing. */
  readonly atMostBare: (what: string, goal: Goal) => void
  /** A goal that is met or not. */
  readonly holds: (what: string, met: boolean) => void
  /** Prints the goals again. Returns whether none was missed by far. */
  readonly close: () => boolean
}

export interface Times {
  readonly ours: readonly number[]
  readonly raw?: readonly number[]
  readonly note?: string
}

export interface Goal {
  readonly limit: number
  readonly got: number
  /** What the measured value is compared with. */
  readonly than: string
}

export function createReport(send: (line: string) => void): Report {
  const verdicts: string[] = []
  let missedByFar = false
  return {
    line: send,
    head: (title, columns = timeColumns) => {
      send(`\n${title}`)
      if (columns.length > 0) send(cells('', columns))
    },
    row: (what, { ours, raw, note = '' }) => {
      const own = [median(ours), quantile(ours, 0.9)]
      const other = raw ? [median(raw), quantile(raw, 0.9)] : []
      const ratios = raw ? own.map((time, i) => time / (other[i] ?? Number.NaN)) : []
      send(`${cells(what, [...own, ...other].map(ms).concat(ratios.map(times)))}  ${note}`)
    },
    atMost: (what, goal) => {
      const isFar = !(goal.got <= goal.limit * wideMargin)
      missedByFar ||= isFar
      verdicts.push(isFar ? `MISSED  ${sentence(what, goal)}` : verdictOn(what, goal))
    },
    atMostBare: (what, goal) => verdicts.push(`${verdictOn(what, goal)}, as bare as it can be`),
    holds: (what, met) => {
      missedByFar ||= !met
      verdicts.push(`${met ? 'met   ' : 'MISSED'}  ${what}`)
    },
    close: () => {
      send('\nGoals')
      for (const verdict of verdicts) send(verdict)
      if (missedByFar) {
        send(
          `\nFAILED: a count is wrong, or a goal was missed by more than ${((wideMargin - 1) * 100).toFixed(0)} % (MISSED).`,
        )
      }
      return !missedByFar
    },
  }
}

function verdictOn(what: string, goal: Goal): string {
  return `${goal.got <= goal.limit ? 'met   ' : 'missed'}  ${sentence(what, goal)}`
}

function sentence(what: string, { limit, got, than }: Goal): string {
  return `${what}: ${times(got)}, at most ${limit} × ${than}`
}

const timeColumns = ['ours', 'p90', 'raw', 'p90', 'ratio', 'p90']

/** A line of a table. */
export function cells(what: string, values: readonly string[]): string {
  return `${what.padEnd(44)}${values.map((value) => value.padStart(9)).join('')}`
}

function ms(time: number): string {
  return time < 10 ? time.toFixed(3) : time.toFixed(1)
}

export function times(ratio: number): string {
  return `${ratio.toFixed(2)} ×`
}
