import type { Agent, Usage } from '@offthread/core'
import type { ReactNode } from 'react'
import { useEventRecord } from '../event-record.ts'
import { shownName } from '../parts/shown-text.ts'
import { scrollRegion } from '../rows/roles.ts'
import { type AnswerUsage, answersIn } from './answers.ts'

/** Whose usage is shown. */
export interface UsageTableProps {
  /** The agent whose answers they are. */
  readonly agent: Agent
  /** Only the answers among the first events of the log, as in a replay. Default: all. */
  readonly position?: number | null
}

const figures = [
  ['Input', 'inputTokens'],
  ['Output', 'outputTokens'],
  ['Cache read', 'cacheReadTokens'],
  ['Cache write', 'cacheWriteTokens'],
] as const

const unknown = '—'
const answersAtOnce = 200

/**
 * The tokens and the money of each answer of a session, those of agents inside calls too, with a total. What a provider
 * did not report is a dash, never a number. It has no style: `data-part` names its parts.
 *
 * @example
 * ```tsx
 * return <UsageTable agent={agent} />
 * ```
 */
export function UsageTable({ agent, position }: UsageTableProps): ReactNode {
  const { events, length } = useEventRecord(agent)
  const answers = answersIn(events, position ?? length)
  const hidden = Math.max(0, answers.length - answersAtOnce)
  return (
    <div data-part="table" data-usage {...scrollRegion('Usage')}>
      <table>
        <caption>Tokens and money by answer</caption>
        <thead>
          <tr>
            <th scope="col">Answer</th>
            {figures.map(([name]) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {answers.slice(hidden).map(({ messageId, model, usage }, index) => (
            <UsageRow key={messageId} usage={usage} name={`${hidden + index + 1} · ${model}`} />
          ))}
        </tbody>
        <tfoot>
          <UsageRow usage={totalOf(answers)} name="Total" />
        </tfoot>
      </table>
      <p data-part="quiet">
        {hidden > 0 && `${hidden} earlier answers are in the total only. `}
        Tokens are what the provider reported, and — where it reported none. Money is what it
        reported, or with est. an estimate from the price of the model.
      </p>
    </div>
  )
}

interface UsageRowProps {
  readonly name: string
  readonly usage: Usage | null
}

function UsageRow({ name, usage }: UsageRowProps): ReactNode {
  return (
    <tr>
      <th scope="row">{shownName(name)}</th>
      {figures.map(([column, figure]) => (
        <td key={column}>{written(usage?.[figure])}</td>
      ))}
      <td>{moneyOf(usage)}</td>
    </tr>
  )
}

function totalOf(answers: readonly AnswerUsage[]): Usage | null {
  return answers.reduce<Usage | null>((total, { usage }) => {
    if (!total || !usage) return total ?? usage
    const sum = (key: 'cacheReadTokens' | 'cacheWriteTokens' | 'cost') => {
      const value = (total[key] ?? 0) + (usage[key] ?? 0)
      return total[key] === undefined && usage[key] === undefined ? {} : { [key]: value }
    }
    const isReported = [total, usage].every(
      ({ cost, isCostReported }) => cost === undefined || isCostReported,
    )
    return {
      ...(isReported && { isCostReported: true }),
      inputTokens: total.inputTokens + usage.inputTokens,
      outputTokens: total.outputTokens + usage.outputTokens,
      ...{ ...sum('cacheReadTokens'), ...sum('cacheWriteTokens'), ...sum('cost') },
    }
  }, null)
}

/** The cost of an answer, as `est. $0.0042`; without `est.` if the provider stated it. */
function moneyOf(usage: Usage | null): string {
  if (usage?.cost === undefined) return unknown
  return usage.isCostReported ? dollars(usage.cost) : `est. ${dollars(usage.cost)}`
}

// One formatter for all cells, because `toLocaleString` takes most of the time that a table takes.
const inEnglish = new Intl.NumberFormat('en')

function written(figure: number | undefined): string {
  return figure === undefined ? unknown : inEnglish.format(figure)
}

/** A cost in dollars. Rounded to cents, most answers would seem free. */
function dollars(cost: number): string {
  return `$${cost.toFixed(cost < 1 ? 4 : 2)}`
}
