import type { Outcome } from '../conversation.ts'
import { isRecord, toNumber, toText } from '../json.ts'
import { readTableInfo } from '../tables/table-info.ts'
import { describeTable, explainFailure, formatCell, readQueryResult, toMarkdown } from './answer.ts'
import { formatNumber } from './wording.ts'

const longestQuote = 300

/** One sentence about the result of a tool that was asked for directly. */
export function answerTool(outcome: Outcome): string {
  if (outcome.failed) return explainFailure(outcome, `\`${outcome.name}\``)
  const output = outcome.output
  if (outcome.name === 'sql_query') {
    const result = readQueryResult(outcome)
    if (result !== undefined) return toMarkdown(result, 20, result.columns.length)
  }
  if (outcome.name === 'load_table') {
    const table = readTableInfo(output)
    if (table !== undefined) return describeTable(table)
  }
  if (!isRecord(output) && outcome.text.length > longestQuote)
    return `\`${outcome.name}\` gave a text of ${formatNumber(outcome.text.length)} characters.`
  if (!isRecord(output)) return wordAnswer(outcome)
  if (outcome.name === 'monte_carlo') return wordExperiment(output, outcome)
  if (outcome.name === 'hash_file')
    return `${toText(output['algorithm'])} of \`${toText(output['file'])}\` (${formatCell(output['bytes'])} bytes): \`${toText(output['hash'])}\``
  if (outcome.name === 'dev_sleep') return `Slept ${formatCell(output['slept'])} ms.`
  if (outcome.name === 'dev_flood') return `Sent ${formatCell(output['sent'])} updates.`
  return wordAnswer(outcome)
}

function wordAnswer({ name, text }: Outcome): string {
  return `\`${name}\` answered: \`${text.replaceAll('`', "'").slice(0, longestQuote)}\``
}

function wordExperiment(output: Readonly<Record<string, unknown>>, outcome: Outcome): string {
  const estimate = toNumber(output['estimate'])
  const error = toNumber(output['standardError'])
  const trials = formatCell(output['trials'])
  if (estimate === undefined) return 'The experiment gave no estimate.'
  const spread = error === undefined ? '' : ` ± ${Number((1.96 * error).toPrecision(2))} (95 %)`
  const digits = Number(estimate.toPrecision(7))
  return `${experimentName(outcome)}: **${digits}**${spread}, from ${trials} trials.`
}

function experimentName({ input }: Outcome): string {
  if (input['experiment'] === 'pi') return 'Estimate of π'
  if (input['experiment'] === 'birthday')
    return `Chance that two of ${formatCell(input['people'] ?? 23)} people share a birthday`
  return `Chance of at least ${formatCell(input['atLeast'] ?? 7)} with ${formatCell(input['dice'] ?? 2)} dice`
}
