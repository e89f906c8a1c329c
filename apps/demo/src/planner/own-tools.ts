import type { JsonRecord } from './json.ts'
import { isRecord, toList, toNumber, toText } from './json.ts'

/** A tool for which the planner has no rule: somebody has added it to the page. */
export interface OwnTool {
  readonly name: string
  /** What calls it, with an example of each argument that it needs: `/count_words {"text":"…"}`. */
  readonly command: string
}

const known = /^(?:load_table|sql_query|monte_carlo|hash_file|plot|dev_\w+)$/

/** The tools of a request that the planner does not know. */
export function readOwnTools(tools: unknown): readonly OwnTool[] {
  return toList(tools)
    .filter(isRecord)
    .map((tool) => ({ name: toText(tool['name']), schema: tool['input_schema'] }))
    .filter(({ name }) => name !== '' && !known.test(name))
    .map(({ name, schema }) => ({ name, command: `/${name} ${exampleInput(schema)}` }))
}

/** Says how to call the tool whose name, or each word of it, stands in the text. One word alone means too much. */
export function explainOwnTool(text: string, tools: readonly OwnTool[]): string | undefined {
  const words = new Set(text.toLowerCase().match(/[a-z0-9]+/g))
  const named = tools.find(({ name }) => {
    const parts = name.toLowerCase().split(/[_-]+/)
    return parts.length > 1 && parts.every((part) => words.has(part))
  })
  return (
    named &&
    `I have no rule for \`${named.name}\`, so I cannot tell its arguments from a sentence, as a language model would. Write the call: \`${named.command}\``
  )
}

function exampleInput(schema: unknown): string {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return '{}'
  const required = new Set(toList(schema['required']))
  const entries = Object.entries(schema['properties'])
  const needed = entries.filter(([name]) => required.has(name))
  return JSON.stringify(
    Object.fromEntries(needed.map(([name, property]) => [name, exampleValue(property)])),
  )
}

function exampleValue(property: unknown): unknown {
  if (!isRecord(property)) return '…'
  const [choice] = toList(property['enum'])
  if (choice !== undefined) return choice
  const type = toText(property['type'])
  if (type === 'number' || type === 'integer') return toNumber(property['minimum']) ?? 1
  return examples[type] ?? '…'
}

const examples: JsonRecord = {
  boolean: true,
  array: [],
  object: {},
}
