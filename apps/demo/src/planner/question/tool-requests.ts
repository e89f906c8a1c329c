import type { PlannedCall } from '../calls.ts'
import { toCall } from '../calls.ts'
import type { JsonRecord } from '../json.ts'
import type { OwnTool } from '../own-tools.ts'
import { explainOwnTool } from '../own-tools.ts'
import type { Token } from './words.ts'
import { tokenise } from './words.ts'

export interface ToolContext {
  readonly files: readonly string[]
  readonly dropped: readonly string[]
  readonly tools: ReadonlySet<string>
  readonly ownTools: readonly OwnTool[]
}

/** Calls that a clause asks for directly; undefined when it is about data, a sentence when it cannot be done. */
export function readToolRequest(
  clause: string,
  context: ToolContext,
): readonly PlannedCall[] | string | undefined {
  return (
    readHash(clause, context) ??
    readMonteCarlo(clause) ??
    (context.tools.has('dev_sleep') ? readDevTool(clause) : undefined) ??
    explainOwnTool(clause, context.ownTools)
  )
}

/** Files whose name, or its main part, stands in the text. */
export function filesNamedIn(text: string, files: readonly string[]): readonly string[] {
  const lower = text.toLowerCase()
  return files.filter((file) => lower.includes(file.toLowerCase()))
}

function readHash(
  clause: string,
  { files, dropped }: ToolContext,
): readonly PlannedCall[] | string | undefined {
  const word =
    /\b(?:hash(?:es|ed|ing)?|check-?sums?|sha-?(?:256|1)|md5|digests?|fingerprints?)\b/i.exec(
      clause,
    )
  if (word === null) return undefined
  if (files.length === 0) return 'There is no file to hash yet: drop one on the page first.'
  const named = filesNamedIn(clause, files)
  const fresh = dropped.length > 0 ? dropped : files
  const all = /\b(?:both|all|each|every|files)\b/i.test(clause)
  const chosen = named.length > 0 ? named : all ? files : fresh
  const algorithm = /md5/i.test(clause)
    ? 'md5'
    : /sha-?1\b/i.test(clause)
      ? 'sha1'
      : /sha-?256/i.test(clause)
        ? 'sha256'
        : undefined
  return chosen.map((file) =>
    toCall('hash_file', { file, ...(algorithm === undefined ? {} : { algorithm }) }),
  )
}

function readMonteCarlo(clause: string): readonly PlannedCall[] | undefined {
  const tokens = tokenise(clause)
  const input = readDice(clause, tokens) ?? readBirthday(clause, tokens) ?? readPi(clause)
  if (input === undefined) return undefined
  const trials = readTrials(tokens)
  const seed = numberAfter(tokens, /^seed$/)
  return [
    toCall('monte_carlo', {
      ...input,
      ...(trials === undefined ? {} : { trials }),
      ...(seed === undefined ? {} : { seed }),
    }),
  ]
}

function readPi(clause: string): JsonRecord | undefined {
  const named = /(?:^|[\s"'])(?:pi|π)(?=$|[\s"',.?!:])/i.test(clause)
  const asked =
    /estimat|approximat|simulat|monte|calculat|comput|sampl|darts|work out|what is|value of|^pi\b/i.test(
      clause,
    )
  return named && asked ? { experiment: 'pi' } : undefined
}

function readBirthday(clause: string, tokens: readonly Token[]): JsonRecord | undefined {
  if (
    !/\bbirthdays?\b/i.test(clause) ||
    !/shar|same|chance|probab|likel|odds|simulat|paradox|problem|experiment|estimat/i.test(clause)
  )
    return undefined
  const people = numberBefore(
    tokens,
    /^(?:people|person|persons|students|guests|pupils|children|kids|players|friends|employees|strangers|men|women)$/,
  )
  const group = people ?? numberAfter(tokens, /^(?:of|for|with)$/)
  return { experiment: 'birthday', ...(group === undefined ? {} : { people: group }) }
}

function readDice(clause: string, tokens: readonly Token[]): JsonRecord | undefined {
  const named = /\b(?:dice|die|d6s?)\b/i.test(clause)
  if (
    !named ||
    !/roll|throw|probab|chance|odds|likel|simulat|at least|or more|or higher|estimat/i.test(clause)
  )
    return undefined
  const dice =
    numberBefore(tokens, /^(?:dice|die|d6s?|six|sided|fair)$/) ??
    (/\b(?:a|one) (?:single )?di(?:e|ce)\b/i.test(clause) ? 1 : undefined)
  const atLeast = readAtLeast(tokens)
  return {
    experiment: 'dice',
    ...(dice === undefined ? {} : { dice }),
    ...(atLeast === undefined ? {} : { atLeast }),
  }
}

function readAtLeast(tokens: readonly Token[]): number | undefined {
  const least = numberAfter(tokens, /^(?:least|minimum)$/)
  const above = numberAfter(tokens, /^(?:than|over|above)$/)
  const closing = tokens.find(
    (token, index) =>
      token.kind === 'number' &&
      /^(?:or|\+)$/.test(tokens[index + 1]?.word ?? '') &&
      /^(?:more|higher|above|over|better|\+)?/.test(tokens[index + 2]?.word ?? ''),
  )
  return least ?? (above === undefined ? undefined : above + 1) ?? closing?.value
}

const trialWords =
  /^(?:samples?|trials?|points?|darts?|times|throws?|iterations?|runs?|draws?|simulations?|experiments?|rolls?|tries|attempts?|repetitions?)$/

/** The number of trials, or the word in its place: the tool says itself that `banana` is no number. */
function readTrials(tokens: readonly Token[]): number | string | undefined {
  const number = numberBefore(tokens, trialWords)
  if (number !== undefined) return number
  const at = tokens.findIndex((token) => trialWords.test(token.word))
  const word = tokens[at - 1]
  const opened = /^(?:with|using|from|on|over|of)$/.test(tokens[at - 2]?.word ?? '')
  const vague =
    /^(?:more|many|some|few|enough|the|random|lots|of|fewer|several|carlo|most|a|an|any|its)$/
  return opened && word !== undefined && word.kind !== 'mark' && !vague.test(word.word)
    ? word.text
    : undefined
}

/** "sleep 800 ms", "four sleeps of 800, 400, 600 and 200 ms", "spin forever", "flood updates for 3 seconds". */
function readDevTool(clause: string): readonly PlannedCall[] | undefined {
  const text = clause.replace(
    /^(?:(?:please|now|then|and|also|do|run|can|could|would|you|let's|start|make|first)\s+)*/i,
    '',
  )
  const tokens = tokenise(text)
  const numbers = tokens.filter((token) => token.kind === 'number')
  if (
    /^(?:\w+ )?(?:sleeps?|naps?|wait)\b/i.test(text) &&
    (numbers.length > 0 || /^(?:sleep|wait)\b/i.test(text))
  )
    return readSleeps(tokens)
  if (/^(?:spin|(?:an )?(?:endless|infinite) loop|loop forever|hang)\b/i.test(text))
    return [toCall('dev_spin', {})]
  if (/^(?:crash|kill)\b/i.test(text)) return [toCall('dev_crash', {})]
  if (/^flood\b/i.test(text))
    return [toCall('dev_flood', numbers[0] === undefined ? {} : { seconds: numbers[0].value })]
  const megabytes = numberBefore(tokens, /^(?:mb|megabytes?)$/)
  if (
    /^(?:return|send|give|produce|huge|answer|output)\b/i.test(text) &&
    (megabytes !== undefined || /huge|megabyte/i.test(text))
  ) {
    return [toCall('dev_huge', megabytes === undefined ? {} : { megabytes })]
  }
  return undefined
}

function readSleeps(tokens: readonly Token[]): readonly PlannedCall[] {
  const at = tokens.findIndex((token) => /^(?:sleeps?|naps?|wait)$/.test(token.word))
  const before = tokens[at - 1]
  const times = before?.kind === 'number' ? before.value : 1
  const numbers = tokens
    .map((token, index) => ({ token, index }))
    .filter(({ token, index }) => token.kind === 'number' && index > at)
  const lengths = numbers.map(({ token, index }) => token.value * unitAfter(tokens, index))
  const all =
    lengths.length === 1 ? Array.from({ length: Math.min(times, 20) }, () => lengths[0]) : lengths
  return (all.length === 0 ? [1000] : all).map((ms) => toCall('dev_sleep', { ms }))
}

/** The next unit word counts for all numbers before it. */
function unitAfter(tokens: readonly Token[], from: number): number {
  const unit = tokens
    .slice(from + 1)
    .find((token) => /^(?:ms|s|sec|secs|seconds?|milliseconds?|millis)$/.test(token.word))
  return unit !== undefined && /^s/.test(unit.word) ? 1000 : 1
}

function numberBefore(tokens: readonly Token[], word: RegExp): number | undefined {
  for (let index = 1; index < tokens.length; index++) {
    if (!word.test(tokens[index]?.word ?? '')) continue
    const near = [tokens[index - 1], tokens[index - 2]].find((token) => token?.kind === 'number')
    if (near !== undefined) return near.value
  }
  return undefined
}

function numberAfter(tokens: readonly Token[], word: RegExp): number | undefined {
  return tokens.find(
    (token, index) => token.kind === 'number' && word.test(tokens[index - 1]?.word ?? ''),
  )?.value
}
