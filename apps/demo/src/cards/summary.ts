import type { ToolCallView } from '@offthread/core'
import { Allow, parse } from 'partial-json'
import type { Fields } from '../text/fields.ts'
import { fieldsOf, numberField, textField } from '../text/fields.ts'
import { counted, formatBytes, formatCount } from '../text/quantity.ts'
import { textOfParts } from './text-of-parts.ts'

/** A call in a few words: what was asked, and what came of it. */
export interface CallSummary {
  readonly asked: string
  /** What was asked is code. */
  readonly code?: boolean
  readonly got?: string
}

/** The line on a card. Never raw JSON. */
export function summarise(call: ToolCallView): CallSummary {
  const fields = call.args === undefined ? partialFields(call.argsText) : fieldsOf(call.args)
  const { asked, code } = askedOf(call.toolName, fields)
  const got = gotOf(call)
  return {
    asked: oneLine(asked),
    ...(code && { code }),
    ...(got !== undefined && { got: oneLine(got) }),
  }
}

/** The fields of a JSON object that is still being written. Of these only texts may be unfinished. */
function partialFields(json: string): Fields {
  try {
    // One line is shown: the rest of a long query is not worth reading with every piece of it.
    return fieldsOf(parse(json.slice(0, 2000), Allow.OBJ | Allow.STR))
  } catch {
    return {}
  }
}

function askedOf(toolName: string, fields: Fields): CallSummary {
  switch (toolName) {
    case 'sql_query':
      return { asked: textField(fields, 'sql') ?? '', code: true }
    case 'load_table':
      return { asked: textField(fields, 'file') ?? '' }
    case 'hash_file':
      return { asked: joined(textField(fields, 'file'), algorithmName(fields)) }
    case 'monte_carlo':
      return { asked: joined(experimentName(fields), trialsText(fields)) }
    case 'plot':
      return { asked: textField(fields, 'title') ?? '' }
    default:
      return { asked: firstFields(fields) }
  }
}

function gotOf(call: ToolCallView): string | undefined {
  if (!call.hasEnded || !call.result) return undefined
  if (call.isError) return failureOf(call)
  const fields = fieldsOf(call.result.structuredContent)
  switch (call.toolName) {
    case 'sql_query':
      return countField(fields, 'rowCount', 'row')
    case 'load_table':
      return countField(fields, 'rows', 'row')
    case 'hash_file':
      return textField(fields, 'hash')?.slice(0, 12)
    case 'monte_carlo': {
      const estimate = numberField(fields, 'estimate')
      return estimate === undefined ? undefined : `≈ ${estimate.toPrecision(6)}`
    }
    case 'plot':
      return countField(fields, 'points', 'point')
    default:
      return sizeOf(call)
  }
}

function failureOf({ status, how, result }: ToolCallView): string | undefined {
  if (status === 'failed') return textOfParts(result?.content ?? [])
  if (how === 'terminated') return 'worker terminated'
  return how === 'cooperative' ? 'stopped by itself' : undefined
}

function countField(fields: Fields, name: string, noun: string): string | undefined {
  const count = numberField(fields, name)
  return count === undefined ? undefined : counted(count, noun)
}

function sizeOf({ result }: ToolCallView): string | undefined {
  const chars = result ? textOfParts(result.content).length : 0
  return chars > 200 ? formatBytes(chars) : undefined
}

function algorithmName(fields: Fields): string {
  return { sha1: 'SHA-1', md5: 'MD5' }[textField(fields, 'algorithm') ?? ''] ?? 'SHA-256'
}

function experimentName(fields: Fields): string | undefined {
  const experiment = textField(fields, 'experiment')
  switch (experiment) {
    case 'pi':
      return 'estimate of π'
    case 'birthday':
      return `shared birthday, ${counted(numberField(fields, 'people') ?? 23, 'person').replace('persons', 'people')}`
    case 'dice':
      return `${formatCount(numberField(fields, 'dice') ?? 2)} dice, ${formatCount(numberField(fields, 'atLeast') ?? 7)} or more`
    default:
      return experiment
  }
}

function trialsText(fields: Fields): string | undefined {
  const trials = numberField(fields, 'trials')
  return trials === undefined ? undefined : `${formatCount(trials)} trials`
}

/** Of a tool the page knows nothing about: its first plain arguments, by name. */
function firstFields(fields: Fields): string {
  const plain = Object.entries(fields).filter(
    ([, value]) => value !== null && typeof value !== 'object',
  )
  return plain
    .slice(0, 2)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ')
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(', ')
}

function oneLine(text: string): string {
  const line = text.slice(0, 400).replace(/\s+/g, ' ').trim()
  return line.length > 240 ? `${line.slice(0, 239)}…` : line
}
