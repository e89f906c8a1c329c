import type { DataContext, DataStep, DataTask } from './question/data-task.ts'
import { advanceData, shorten } from './question/data-task.ts'
import type { TableScope } from './table-scope.ts'
import { readScope } from './table-scope.ts'

const mostTables = 8

/** A question about the tables it names: one, each of several, or none that is there. */
export function advanceScoped(task: DataTask, context: DataContext): DataStep {
  const scope = readScope(task.clause, context.conversation)
  if (scope.kind === 'said') return said(scope.text)
  if (scope.kind === 'any') return advanceData(task, context)
  if (task.kind === 'plot')
    return said(
      `I can plot one table at a time. Name one for “${shorten(task.label)}”: ${inCode(scope.tables.map(({ table }) => table))}.`,
    )
  return advanceEach(task, context, scope)
}

function advanceEach(
  task: DataTask,
  { conversation }: DataContext,
  { tables, clauseFor, leftOut }: Extract<TableScope, { kind: 'each' }>,
): DataStep {
  const chosen = tables.slice(0, mostTables)
  const steps = chosen.map((table) =>
    advanceData(
      { ...task, clause: clauseFor(table) },
      {
        // Only this table is there, so that no other can answer for it.
        conversation: { ...conversation, tables: [table], files: [table.file], dropped: [] },
        previous: undefined,
        sameMessage: false,
      },
    ),
  )
  const open = steps.flatMap(({ advance }) => (advance.status === 'calls' ? [advance] : []))
  const [first] = open
  if (first !== undefined)
    return {
      advance: { ...first, calls: open.flatMap((advance) => advance.calls) },
      understood: true,
    }
  const texts = steps.flatMap(({ advance }) => (advance.status === 'done' ? [advance.text] : []))
  const missing = [...leftOut, ...tables.slice(mostTables).map(({ table }) => table)]
  const note = missing.length === 0 ? [] : [`I left out ${inCode(missing)}.`]
  return {
    advance: { status: 'done', text: [...texts, ...note].join('\n\n') },
    understood: steps.some((step) => step.understood),
  }
}

function said(text: string): DataStep {
  return { advance: { status: 'done', text }, understood: true }
}

function inCode(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}
