import { z } from 'zod'
import { readAttachedLine } from '../files/attached-line.ts'
import { parseJson } from '../text/parse-json.ts'
import { loadedTableSchema } from '../tools/definitions.ts'

const block = z.object({
  type: z.string(),
  text: z.string().default(''),
  id: z.string().optional(),
  name: z.string().default(''),
  input: z.record(z.string(), z.unknown()).catch({}),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().default(false),
  content: z.unknown().optional(),
})

const blocks = z.array(block).catch([])

const requestSchema = z.object({
  stream: z.literal(true),
  messages: z.array(z.object({ role: z.string(), content: blocks })).min(1),
})

export type Conversation = NonNullable<ReturnType<typeof readConversation>>

/**
 * What the planner reads from the body of a request. Undefined when the request does not ask for a streamed message.
 */
export function readConversation(body: string) {
  const { data } = requestSchema.safeParse(parseJson(body))
  if (!data) return undefined
  const asked = data.messages.map(({ role, content }) => {
    const texts = content.filter(({ type }) => role === 'user' && type === 'text')
    const lines = texts.map(({ text }) => ({ text, file: readAttachedLine(text)?.name }))
    const typed = lines.filter(({ file }) => file === undefined).map(({ text }) => text)
    return { question: typed.join('\n').trim(), dropped: lines.flatMap(({ file }) => file ?? []) }
  })
  const at = asked.findLastIndex(({ question, dropped }) => question !== '' || dropped.length > 0)
  const history = readOutcomes(data.messages)
  const loaded = history.flatMap((outcome) => outputOf(outcome, loadedTableSchema) ?? [])
  return {
    question: asked[at]?.question ?? '',
    /** The questions before this one. */
    before: asked.slice(0, Math.max(0, at)).map((one) => one.question),
    /** The files that were dropped with the question, and all files. */
    dropped: asked[at]?.dropped ?? [],
    files: [...new Set(asked.flatMap(({ dropped }) => dropped))],
    /** The outcomes since the question, and those of the whole conversation. */
    outcomes: readOutcomes(data.messages.slice(at)),
    history,
    // A table that was loaded again replaces the older one.
    tables: [...new Map(loaded.map((table) => [table.table, table])).values()],
    turn: data.messages.length,
  }
}

/** A call of the planner and its result. */
export type Outcome = ReturnType<typeof readOutcomes>[number]

function readOutcomes(messages: z.output<typeof requestSchema>['messages']) {
  const all = messages.flatMap(({ content }) => content)
  return all.flatMap(({ type, id, name, input }) => {
    const result = type === 'tool_use' && all.find((one) => one.tool_use_id === id)
    if (!result) return []
    const texts = blocks.parse(result.content).map((one) => one.text)
    return [{ name, input, text: texts.join(''), failed: result.is_error }]
  })
}

/** The output of a call; undefined if the call failed, or the output is not whole or has another form. */
export function outputOf<Schema extends z.ZodType>({ text, failed }: Outcome, schema: Schema) {
  return failed ? undefined : schema.safeParse(parseJson(text)).data
}
