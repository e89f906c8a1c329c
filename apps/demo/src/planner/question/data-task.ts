import { answerQuery, describeTable, plotTitle, readQueryResult } from '../answer/answer.ts'
import { explainLacking, explainUnknown } from '../answer/help.ts'
import type { Advance, PlannedCall } from '../calls.ts'
import { outcomeOf, sqlCall, toCall } from '../calls.ts'
import type { Conversation } from '../conversation.ts'
import { completeFrom } from '../follow-up.ts'
import { openFiles, toLoadCall } from '../load-plan.ts'
import { joinableTo } from '../tables/joins.ts'
import type { AggregateRequest, TableRequest } from '../tables/request.ts'
import { toSql } from '../tables/sql.ts'
import { resolveLiterals } from './literals.ts'
import type { ReadQuestion } from './question.ts'
import { readQuestion } from './question.ts'
import type { Task } from './tasks.ts'

export interface DataStep {
  readonly advance: Advance
  /** What later questions lean on. */
  readonly request?: TableRequest
  readonly understood: boolean
}

export interface DataContext {
  readonly conversation: Conversation
  readonly previous: TableRequest | undefined
  /** The question before is part of the same message. */
  readonly sameMessage: boolean
}

export type DataTask = Extract<Task, { kind: 'data' | 'plot' }>

/** Takes one question about the tables a step further: load more, look a word up, query, plot, answer. */
export function advanceData(task: DataTask, context: DataContext): DataStep {
  const { conversation, previous } = context
  const read = readTask(task, context)
  const rest = openFiles(task.clause, conversation)
  if (
    rest.length > 0 &&
    (read === undefined ||
      read.unknown.length > 0 ||
      read.request.literals.some((literal) => literal.certain))
  ) {
    return calls(
      rest.map((file) => toLoadCall(file, false)),
      'The answer may need the other files too.',
    )
  }
  if (read === undefined) return said(`I did not understand “${shorten(task.label)}”.`, false)
  const missing = explainUnknown(read, conversation.tables)
  if (missing !== undefined) return said(missing, true)
  const completed = completeFrom(previous, read, context.sameMessage)
  const lacking = explainLacking(completed)
  if (lacking !== undefined) return said(lacking, true)
  const shaped = task.kind === 'plot' ? toPlottable(completed) : completed
  const reach = [shaped.table, ...joinableTo(shaped.table, conversation.tables)]
  const resolved = resolveLiterals(shaped, reach, conversation.history)
  if (resolved.status === 'ask')
    return calls([sqlCall(resolved.sql)], 'First I look up which column that word belongs to.')
  if (resolved.status === 'absent')
    return said(
      `I found no “${resolved.text}” in any text column of ${reach.map((table) => `\`${table.table}\``).join(', ')}, so I have no answer to “${shorten(task.label)}”.`,
      true,
    )
  const step = finish(task, resolved.request, conversation)
  return {
    ...step,
    advance: withNotes(step.advance, [...resolved.notes, ...unusedNote(read.unused)]),
  }
}

function readTask(
  task: DataTask,
  { conversation, previous }: DataContext,
): ReadQuestion | undefined {
  const leansOnly =
    /^(?:it|that|this|them|these|those|the (?:same|result|results|last one|data|numbers)|again|)$/i.test(
      task.clause,
    )
  if (task.kind === 'plot' && leansOnly) {
    return previous === undefined
      ? undefined
      : {
          request: previous,
          bare: false,
          leaning: false,
          asks: true,
          pronoun: false,
          guessed: false,
          unknown: [],
          unused: [],
        }
  }
  return readQuestion(task.clause, conversation.tables, previous?.table)
}

function finish(task: DataTask, request: TableRequest, conversation: Conversation): DataStep {
  if (request.kind === 'describe') return said(request.tables.map(describeTable).join('\n\n'), true)
  const query = sqlCall(toSql(request))
  const outcome = outcomeOf(
    query,
    task.kind === 'plot' ? conversation.history : conversation.outcomes,
  )
  if (outcome === undefined) return { ...calls([query], 'Asking the tables with SQL.'), request }
  if (task.kind === 'data' || outcome.failed)
    return {
      advance: { status: 'done', text: answerQuery(request, outcome) },
      request,
      understood: true,
    }
  if (request.kind !== 'aggregate' || request.groupBy.length === 0)
    return {
      ...said(
        'To plot I need something to group by, for example “plot the number of rows per month”.',
        true,
      ),
      request,
    }
  const plot = toPlotCall(task, request, readQueryResult(outcome)?.rows ?? [])
  if (plot === undefined)
    return { ...said('The query gave nothing that can be plotted.', true), request }
  const plotted = outcomeOf(plot, conversation.outcomes)
  if (plotted === undefined) return { ...calls([plot], 'Plotting the result.'), request }
  return {
    advance: { status: 'done', text: plotText(request, plotted, outcome) },
    request,
    understood: true,
  }
}

function toPlotCall(
  task: DataTask,
  request: AggregateRequest,
  rows: readonly (readonly unknown[])[],
): PlannedCall | undefined {
  const value = request.groupBy.length
  const points = rows.slice(0, 200).map((row) => ({
    label: row
      .slice(0, value)
      .map((part) => (part === null ? '(empty)' : String(part)))
      .join(', '),
    value: typeof row[value] === 'number' ? row[value] : null,
  }))
  if (points.length === 0 || points.every((point) => point.value === null)) return undefined
  const shape = task.kind === 'plot' ? task.shape : 'bar'
  const title = plotTitle(request)
  const [yLabel, xLabel] = title.split(' per ')
  return toCall('plot', {
    kind: shape,
    title,
    labels: points.map((point) => point.label),
    values: points.map((point) => point.value),
    ...(xLabel === undefined ? {} : { xLabel }),
    ...(yLabel === undefined ? {} : { yLabel }),
  })
}

/** What can be drawn: groups, and not hundreds of them unless they are dates. */
function toPlottable(request: TableRequest): TableRequest {
  if (request.kind === 'share')
    return toPlottable({
      ...request,
      kind: 'aggregate',
      filters: request.base,
      measures: [request.measure],
      countGroups: false,
    })
  if (request.kind !== 'aggregate' || request.order !== undefined) return request
  const key = request.groupBy[0]
  const many =
    key !== undefined &&
    key.part === undefined &&
    key.column.type === 'text' &&
    key.column.distinct > 30
  return many ? { ...request, order: { direction: 'desc', limit: 30, single: false } } : request
}

function plotText(
  request: AggregateRequest,
  plotted: { readonly failed: boolean; readonly text: string },
  query: Parameters<typeof answerQuery>[1],
): string {
  const answer = answerQuery(request, query)
  if (plotted.failed)
    return `The plot did not work (“${plotted.text.slice(0, 300)}”), but here are the numbers.\n\n${answer}`
  const points = readQueryResult(query)?.rows.length ?? 0
  const cut = request.order?.limit === 30 && points === 30 ? ' (the 30 largest)' : ''
  return `The plot shows the ${plotTitle(request)}: ${points} points${cut}.\n\n${answer}`
}

/** A word that played no part may have mattered: the reader should know. */
function unusedNote(words: readonly string[]): readonly string[] {
  return words.length === 0 ? [] : [`I did not use ${words.map((word) => `“${word}”`).join(', ')}.`]
}

function withNotes(advance: Advance, notes: readonly string[]): Advance {
  return advance.status === 'done' && notes.length > 0
    ? { ...advance, text: `${advance.text}\n\n${notes.join(' ')}` }
    : advance
}

function calls(list: readonly PlannedCall[], intro: string): DataStep {
  return { advance: { status: 'calls', calls: list, intro }, understood: true }
}

function said(text: string, understood: boolean): DataStep {
  return { advance: { status: 'done', text }, understood }
}

export function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}
