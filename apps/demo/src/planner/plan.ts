import { describeTable, explainFailure, readQueryResult, toMarkdown } from './answer/answer.ts'
import { helpText } from './answer/help.ts'
import { introOf, joinIntros } from './answer/intro.ts'
import { answerTool } from './answer/tool-answer.ts'
import type { Advance, PlannedCall } from './calls.ts'
import { keyOf, outcomeOf, sqlCall } from './calls.ts'
import type { Conversation, Outcome } from './conversation.ts'
import { failedLoads, fileOf, filesToLoad, isLoad, openFiles, toLoadCall } from './load-plan.ts'
import type { DataStep } from './question/data-task.ts'
import { advanceData, shorten } from './question/data-task.ts'
import { greetingFor, unsupported } from './question/small-talk.ts'
import type { Task } from './question/tasks.ts'
import { readTasks } from './question/tasks.ts'
import { advanceScoped } from './scoped-task.ts'
import { asksEveryTable } from './table-scope.ts'
import type { TableRequest } from './tables/request.ts'

/** What the planner says next, and the calls it makes in parallel. No calls: the question is answered. */
export interface PlanStep {
  readonly text: string
  readonly calls: readonly PlannedCall[]
}

/** The run allows five model turns; the fifth must be words. */
const lastTurn = 4

/** From everything said so far to the next step. The same conversation always gives the same step. */
export function planNext(given: Conversation): PlanStep {
  const { conversation, pad } = withRepeatedQuestion(given)
  const tasks = readTasks(conversation)
  const opening = greetingFor(conversation.question)
  if (tasks.length === 0 || opening !== undefined)
    return { text: helpText(conversation, opening ?? 'What would you like to know?'), calls: [] }
  const refused = tasks.length === 1 ? unsupported(tasks[0]?.label ?? '') : undefined
  if (refused !== undefined) return { text: helpText(conversation, refused), calls: [] }
  const pool = conversation.outcomes.filter(
    (outcome) => !isLoad(outcome) && outcome.name !== 'sql_query' && outcome.name !== 'plot',
  )
  const steps = advanceTasks(tasks, { conversation, pad, pool: [...pool] })
  const waiting = steps.flatMap(({ advance }) => (advance.status === 'calls' ? [advance] : []))
  if (waiting.length > 0 && conversation.turns < lastTurn)
    return {
      text: joinIntros(waiting.map((advance) => advance.intro)),
      calls: uniqueCalls(waiting),
    }
  return { text: finalText(tasks, steps, conversation), calls: [] }
}

interface TaskContext {
  readonly conversation: Conversation
  readonly pad: boolean
  /** Results of direct calls, taken one by one: the same call may have been made twice. */
  readonly pool: Outcome[]
}

function advanceTasks(tasks: readonly Task[], context: TaskContext): readonly DataStep[] {
  let previous = lastRequest(context.conversation)
  let sameMessage = false
  return tasks.map((task) => {
    const step = advanceTask(task, context, { previous, sameMessage })
    if (step.request !== undefined) {
      previous = step.request
      sameMessage = true
    }
    return step
  })
}

function advanceTask(
  task: Task,
  context: TaskContext,
  lean: { readonly previous: TableRequest | undefined; readonly sameMessage: boolean },
): DataStep {
  if (task.kind === 'say') return done(task.text)
  if (task.kind === 'calls') return { advance: advanceCalls(task.calls, context), understood: true }
  const { conversation } = context
  const clause = task.kind === 'sql' ? task.sql : task.clause
  const files = asksEveryTable(clause)
    ? openFiles(clause, conversation)
    : filesToLoad(clause, conversation)
  const loads = files.map((file) => toLoadCall(file, context.pad))
  if (loads.length > 0)
    return {
      advance: {
        status: 'calls',
        calls: loads,
        intro: `Loading ${loads.map((call) => `\`${String(call.input['file'])}\``).join(' and ')}.`,
      },
      understood: true,
    }
  if (task.kind === 'load') return done(loadedText(conversation))
  if (task.kind === 'sql') return { advance: advanceSql(task.sql, conversation), understood: true }
  if (conversation.tables.length > 0) return advanceScoped(task, { conversation, ...lean })
  if (conversation.files.length > 0)
    return done(`Without a table I cannot answer “${shorten(task.label)}”.`)
  return {
    ...done(
      `There is no table yet. Drop a CSV, TSV or JSON file on the page first, then ask again.`,
    ),
    understood: looksLikeData(clause),
  }
}

function advanceCalls(calls: readonly PlannedCall[], { pool, conversation }: TaskContext): Advance {
  const outcomes = calls.map((call) => {
    const at = pool.findIndex((outcome) => outcome.name === call.name)
    return at < 0 ? commandOutcome(call, conversation) : pool.splice(at, 1)[0]
  })
  if (outcomes.every((outcome) => outcome === undefined))
    return { status: 'calls', calls, intro: introOf(calls) }
  return {
    status: 'done',
    text: outcomes
      .flatMap((outcome) => (outcome === undefined ? [] : [answerTool(outcome)]))
      .join('\n\n'),
  }
}

/** A command may name any tool, also those whose results are otherwise found by their arguments. */
function commandOutcome(call: PlannedCall, conversation: Conversation): Outcome | undefined {
  return /^(?:load_table|sql_query|plot)$/.test(call.name)
    ? conversation.outcomes.find((outcome) => outcome.name === call.name)
    : undefined
}

function advanceSql(sql: string, conversation: Conversation): Advance {
  const outcome = outcomeOf(sqlCall(sql), conversation.outcomes)
  if (outcome === undefined)
    return { status: 'calls', calls: [sqlCall(sql)], intro: 'Running your SQL.' }
  if (outcome.failed) return { status: 'done', text: explainFailure(outcome, 'Your SQL') }
  const result = readQueryResult(outcome)
  if (result === undefined)
    return {
      status: 'done',
      text: 'The query ran, but its result came back cut off. Ask for fewer rows.',
    }
  return {
    status: 'done',
    text: `**${result.rowCount}** ${result.rowCount === 1 ? 'row' : 'rows'}.\n\n${toMarkdown(result, 20, result.columns.length)}`,
  }
}

function finalText(
  tasks: readonly Task[],
  steps: readonly DataStep[],
  conversation: Conversation,
): string {
  const failures = failedLoads(conversation).map(loadFailure)
  const texts = steps.map(({ advance }) =>
    advance.status === 'done'
      ? advance.text
      : 'I needed more steps for this than one answer allows. Ask it again by itself.',
  )
  const labelled = texts.map((text, index) =>
    texts.length > 1 ? `**${asTitle(tasks[index]?.label ?? '')}**\n\n${text}` : text,
  )
  const lost = steps.every((step) => !step.understood)
  const body = [...failures, ...[...new Set(labelled)]].join('\n\n')
  return lost ? helpText(conversation, body) : body
}

/** The last question before this message that was understood. */
function lastRequest(conversation: Conversation): TableRequest | undefined {
  if (conversation.tables.length === 0) return undefined
  let previous: TableRequest | undefined
  for (const question of conversation.earlier.slice(-12)) {
    let sameMessage = false
    for (const task of readTasks({ ...conversation, question, dropped: [] })) {
      if (task.kind !== 'data' && task.kind !== 'plot') continue
      const step = advanceData(task, { conversation, previous, sameMessage })
      if (step.request === undefined) continue
      previous = step.request
      sameMessage = true
    }
  }
  return previous
}

/** "try again", "pad the short rows": the question before is meant, to be worked on anew. */
function withRepeatedQuestion(conversation: Conversation): {
  readonly conversation: Conversation
  readonly pad: boolean
} {
  const pad = /\b(?:pad|fill)\b.*\b(?:rows?|lines?|fields?|it|them)\b|^\s*pad\b|\bragged\b/i.test(
    conversation.question,
  )
  const again =
    /^\W*(?:please )?(?:try|do|run|ask)? ?(?:it |that |this )?(?:again|once more|retry)\b.{0,20}$/i.test(
      conversation.question,
    ) || /^\W*retry\b/i.test(conversation.question)
  const question = conversation.earlier.at(-1)
  const failed = conversation.history.some((outcome) => isLoad(outcome) && outcome.failed)
  if (question === undefined || !(again || (pad && failed))) return { conversation, pad: false }
  const files = conversation.history
    .filter((outcome) => isLoad(outcome) && outcome.failed)
    .map(fileOf)
  const open = [...new Set(files)].filter(
    (file) => !conversation.tables.some((table) => table.file === file),
  )
  return {
    conversation: {
      ...conversation,
      question,
      dropped: open,
      earlier: conversation.earlier.slice(0, -1),
    },
    pad: pad && failed,
  }
}

function loadFailure(outcome: Outcome): string {
  const text = explainFailure(outcome, `Loading \`${fileOf(outcome)}\``)
  const advice = /ragged/i.test(outcome.text)
    ? ' Say “pad the short rows” and I load it with the gaps left empty.'
    : ' Check the file, or drop another one.'
  return `${text}${/[.!?]$/.test(text) ? '' : '.'}${outcome.failed && !/^(?:Cancelled|Interrupted|Not run)/i.test(outcome.text) ? advice : ''}`
}

function loadedText(conversation: Conversation): string {
  const fresh = conversation.outcomes
    .filter((outcome) => isLoad(outcome) && !outcome.failed)
    .map(fileOf)
  const tables = conversation.tables.filter((table) => fresh.includes(table.file))
  const shown = tables.length > 0 ? tables : conversation.tables
  if (shown.length > 0) return shown.map(describeTable).join('\n\n')
  return conversation.files.length === 0
    ? 'There is no file to load yet: drop one on the page first.'
    : ''
}

function uniqueCalls(
  waiting: readonly Extract<Advance, { status: 'calls' }>[],
): readonly PlannedCall[] {
  const seen = new Set<string>()
  return waiting
    .flatMap((advance) => advance.calls)
    .filter((call) => {
      if (!/^(?:load_table|sql_query|plot)$/.test(call.name)) return true
      const fresh = !seen.has(keyOf(call))
      seen.add(keyOf(call))
      return fresh
    })
}

function asTitle(label: string): string {
  return shorten(label).replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}

function looksLikeData(clause: string): boolean {
  return /\b(?:how many|how much|average|mean|total|sum|count|list|which|what|show|plot|top|table|rows?|columns?|per|median|most|least|max\w*|min\w*)\b/i.test(
    clause,
  )
}

function done(text: string): DataStep {
  return { advance: { status: 'done', text }, understood: true }
}
