import type { PlannedCall } from '../calls.ts'
import type { Conversation } from '../conversation.ts'
import { isRecord, parseJson } from '../json.ts'
import { splitClauses } from './clauses.ts'
import { readToolRequest } from './tool-requests.ts'

/** One thing a message asks for. `label` repeats it when there are several. */
export type Task =
  | { readonly kind: 'calls'; readonly label: string; readonly calls: readonly PlannedCall[] }
  | { readonly kind: 'say'; readonly label: string; readonly text: string }
  | { readonly kind: 'sql'; readonly label: string; readonly sql: string }
  | { readonly kind: 'load'; readonly label: string; readonly clause: string }
  | {
      readonly kind: 'plot'
      readonly label: string
      readonly clause: string
      readonly shape: 'bar' | 'line'
    }
  | { readonly kind: 'data'; readonly label: string; readonly clause: string }

const longestQuestion = 4000

/** Everything the open question asks for, in the order in which it is said. */
export function readTasks(conversation: Conversation): readonly Task[] {
  const text = conversation.question.slice(0, longestQuestion)
  const commands = readCommands(text)
  if (commands.length > 0) return [{ kind: 'calls', label: 'commands', calls: commands }]
  const sql = readRawSql(text)
  if (sql !== undefined) return [{ kind: 'sql', label: sql, sql }]
  if (text === '' && conversation.dropped.length > 0)
    return [{ kind: 'load', label: 'load', clause: '' }]
  return splitClauses(withoutGreeting(text), conversation.tools.has('dev_sleep')).flatMap(
    (clause) => readTask(clause, conversation) ?? [],
  )
}

/** SQL that a person wrote goes on as it is, also when the tool will refuse it. */
function readRawSql(text: string): string | undefined {
  const fenced = /```(?:sql|sqlite)?\s*\n?([\s\S]+?)```/i.exec(text)?.[1]?.trim()
  const announced =
    /^\s*(?:please\s+)?(?:(?:run|execute|try)\s+(?:this\s+|the\s+)?(?:sql|query)|sql)\s*:?\s*([\s\S]+)$/i
      .exec(text)?.[1]
      ?.trim()
  const candidate =
    fenced ?? (announced !== undefined && startsAsSql(announced) ? announced : text.trim())
  return candidate !== '' && (startsAsSql(candidate) || fenced !== undefined)
    ? candidate
    : undefined
}

function withoutGreeting(text: string): string {
  return text
    .replace(
      /^\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|yo)\b(?: (?:there|everyone|all|team|\p{Lu}\p{Ll}+))?[\s,!.:-]*/iu,
      '',
    )
    .replace(
      /[\s,]*(?:thanks|thank you|thx|cheers|please)(?: (?:a lot|so much|very much|in advance))?[\s!.]*$/i,
      '',
    )
}

function readTask(clause: string, conversation: Conversation): Task | undefined {
  const direct = readToolRequest(clause, conversation)
  if (typeof direct === 'string') return { kind: 'say', label: clause, text: direct }
  if (direct !== undefined) return { kind: 'calls', label: clause, calls: direct }
  if (isFiller(clause)) return undefined
  if (/^(?:please |now |and |can you |could you )*(?:load|open|import|read in)\b/i.test(clause))
    return { kind: 'load', label: clause, clause }
  const shape = plotShape(clause)
  if (shape !== undefined)
    return { kind: 'plot', label: clause, clause: withoutPlotWords(clause), shape }
  return { kind: 'data', label: clause, clause }
}

function startsAsSql(text: string): boolean {
  if (
    /^select\b[\s\S]*(?:\bfrom\b|[*\d'"(])/i.test(text) ||
    /^with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s*\(/i.test(text)
  )
    return true
  return /^(?:insert\s+into|update\s+\S+\s+set|delete\s+from|drop\s+(?:table|view|index)|create\s+(?:temp\w*\s+)?(?:table|view|index)|alter\s+table|insert\s+or\s+\w+\s+into|replace\s+into|(?:at|de)tach\s+(?:database\b|')|attach\s+\S+\s+as\b|pragma\s+\w|values\s*\(|vacuum\s*(?:into\b|;|$)|reindex\s*(?:;|$)|analyze\s*(?:;|$)|begin\s*(?:transaction\s*)?(?:;|$)|truncate\s+table|explain\s+(?:query\s+plan|select|with|insert|update|delete|replace|values)\b)/i.test(
    text,
  )
}

/** `/tool_name {"argument": 1}`, one a line: the arguments go on letter by letter. */
function readCommands(text: string): readonly PlannedCall[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*\/([A-Za-z_][\w-]*)(?:\s+(.*\S))?\s*$/.exec(line)
    if (match === null) return []
    const json = match[2] ?? '{}'
    const input = parseJson(json)
    return [{ name: match[1] ?? '', input: isRecord(input) ? input : {}, json }]
  })
}

function isFiller(clause: string): boolean {
  return /^(?:(?:thanks|thank you|thx|cheers|please|ok|okay|great|nice|cool|hi|hello|hey|yes|no|i have|here is|here are|this is|i need|quick question|two questions|a question|one more thing|question|tell me|so|well|hmm+)\b[\s,!.:]*)+(?:(?:a|two|some|few|my|the)\s)?(?:questions?|things?|data|files?|tables?)?$/i.test(
    clause,
  )
}

function plotShape(clause: string): 'bar' | 'line' | undefined {
  const asked =
    /\b(?:plot|chart|graph|draw|visuali[sz]e|diagram|bars?\b(?=.*\b(?:of|for|per|by)\b)|line chart|bar chart)\b/i.test(
      clause,
    )
  if (!asked) return undefined
  return /\b(?:line|lines|curve|over time|trend|timeline)\b/i.test(clause) ? 'line' : 'bar'
}

function withoutPlotWords(clause: string): string {
  return clause
    .replace(
      /\b(?:as|in|with|using|on|into) (?:a |an )?(?:bar|line|column|simple|nice|little|small)?\s*(?:bars?|lines?|columns?|chart|graph|plot|diagram|curve)\b/gi,
      ' ',
    )
    .replace(
      /\b(?:(?:can|could) you|please|now|make|create|show|give)(?: me)?(?= (?:a |an )?(?:bar|line|plot|chart|graph|draw))/gi,
      ' ',
    )
    .replace(
      /\b(?:(?:a|an|the) )?(?:(?:bar|line|column) )?(?:plots?|charts?|graphs?|diagrams?|draw|visuali[sz]e)\b(?: of| for| showing)?(?: me)?/gi,
      ' ',
    )
    .replace(/\bover time\b/gi, 'per month')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:(?:and|then|also|now)\b ?)+/i, '')
}
