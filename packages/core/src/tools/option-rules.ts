import { longestTimerMs } from '../internal/clock.ts'

/** What an option must be, in words, and whether a value is that. */
type Rule = readonly [words: string, holds: (value: unknown) => boolean]
type Rules = Readonly<Record<string, Rule>>

/** A worker gives a sign of life every second; one of them may be late. */
const shortestSilenceMs = 2000

const flag: Rule = ['true or false', (value) => typeof value === 'boolean']
const wait: Rule = [`from 0 to ${longestTimerMs} milliseconds`, (ms) => isTime(ms, 0)]

const toolRules: Rules = {
  label: ['a text', (value) => typeof value === 'string'],
  outputSchema: [
    'a Standard Schema',
    (schema) => schema === undefined || '~standard' in Object(schema),
  ],
  place: choice('worker', 'page', 'client', 'isolated'),
  executionMode: choice('parallel', 'sequential'),
  effects: choice('none', 'reads', 'writes'),
  needsApproval: [
    'true, false or a function of the input',
    (value) => typeof value === 'boolean' || typeof value === 'function',
  ],
  idempotent: flag,
  onInterrupt: choice('error', 'rerun', 'check'),
  mayTerminate: flag,
  transferResources: flag,
  timeoutMs: [
    `more than 0 and at most ${longestTimerMs} milliseconds, or null for none`,
    (ms) => ms === null || isTime(ms, Number.MIN_VALUE),
  ],
  maxSilenceMs: [
    `at least ${shortestSilenceMs} milliseconds, or null for any silence`,
    (ms) => ms === null || isTime(ms, shortestSilenceMs),
  ],
  updateIntervalMs: [
    `${wait[0]}, or null for that of the agent`,
    (ms) => ms === null || wait[1](ms),
  ],
}

const retryRules: Rules = {
  maxAttempts: [
    'a whole number of at least 2; leave retry out for a single attempt',
    (count) => Number.isSafeInteger(count) && Number(count) >= 2,
  ],
  baseMs: wait,
  capMs: wait,
}

const unrepeatable: Rule = [
  "'check', or the tool idempotent, or its effects not 'writes'",
  () => false,
]

interface Options {
  readonly name: string
  readonly retry: object | null
  readonly onInterrupt: string
  readonly idempotent: boolean
  readonly effects: string
}

/** Throws a `TypeError` that says what to do about the first option of a tool that makes no sense. */
export function checkOptions(tool: Options): void {
  const check = (options: object, rules: Rules, prefix = '') => {
    for (const [option, [words, holds]] of Object.entries(rules)) {
      if (holds(Reflect.get(options, option))) continue
      throw new TypeError(`The ${prefix}${option} of tool "${tool.name}" must be ${words}.`)
    }
  }
  check(tool, toolRules)
  if (tool.retry) check(tool.retry, retryRules, 'retry.')
  if (tool.onInterrupt === 'rerun' && !tool.idempotent && tool.effects === 'writes')
    check(tool, { onInterrupt: unrepeatable })
}

function choice(...choices: readonly string[]): Rule {
  return [`'${choices.join("' or '")}'`, (value) => choices.some((one) => one === value)]
}

function isTime(ms: unknown, least: number): boolean {
  return typeof ms === 'number' && ms >= least && ms <= longestTimerMs
}
