import type { ColumnProfile } from '../definitions.ts'

interface Profile {
  readonly columns: readonly ColumnProfile[]
  readonly notes: readonly string[]
}

const mostChars = 9000

/**
 * Shortens a table's profile for the model, which gets at most 10,000 characters of any result. The least useful
 * parts are dropped first: long lists of values, then examples, then whole columns.
 */
export function fitForModel<Output extends Profile>(output: Output): Output {
  const { columns } = output
  const attempts = [
    columns,
    columns.map((column) =>
      column.values && column.values.length > 8 ? withoutValues(column) : column,
    ),
    columns.map(withoutValues),
    columns.map((column) => ({ ...withoutValues(column), examples: column.examples.slice(0, 1) })),
    columns.map(withoutExamples),
  ]
  const smaller = attempts.map((attempt) => ({ ...output, columns: attempt }))
  const fitting = smaller.find((each) => JSON.stringify(each).length <= mostChars)
  return fitting ?? withFewerColumns(output)
}

function withFewerColumns<Output extends Profile>(output: Output): Output {
  const columns = output.columns.map(withoutExamples)
  const rest = { ...output, columns: [], notes: output.notes.slice(0, 3) }
  let room = mostChars - JSON.stringify(rest).length - 200
  const fitting = columns.findIndex((column) => {
    room -= JSON.stringify(column).length + 1
    return room < 0
  })
  const shown = columns.slice(0, fitting)
  const note = `Only the first ${shown.length} of ${columns.length} columns are shown here. All can be queried.`
  return { ...rest, columns: shown, notes: [...rest.notes, note] }
}

function withoutValues({ values: _, ...column }: ColumnProfile): ColumnProfile {
  return column
}

function withoutExamples(column: ColumnProfile): ColumnProfile {
  return { ...withoutValues(column), examples: [] }
}
