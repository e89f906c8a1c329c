/** The options of a tool that have a choice or bounds, as they were given. */
interface BoundedOptions {
  readonly name: string
  readonly place?: string
  readonly needsApproval?: unknown
  readonly executionMode?: string
  readonly timeoutMs?: number | null
  readonly maxSilenceMs?: number | null
  readonly retry?: {
    readonly maxAttempts: number
    readonly baseMs?: number
    readonly capMs?: number
  }
  readonly idempotent?: unknown
  readonly transferResources?: unknown
  readonly effects?: string
}

const places = ['worker', 'page', 'client', 'isolated']
const executionModes = ['parallel', 'sequential']
const effects = ['none', 'reads', 'writes']

/** A worker gives a sign of life every second; one of them may be late. */
const shortestSilenceMs = 2000

/** What a timer can wait for: the platform takes anything longer for nothing. */
const longestTimerMs = 2_147_483_647

/** Throws a `TypeError` that says what to do about the first option that makes no sense. */
export function checkOptions(options: BoundedOptions): void {
  const refuse = (option: string, rule: string): never => {
    throw new TypeError(`The ${option} of tool "${options.name}" must be ${rule}.`)
  }
  const { place, needsApproval, executionMode, timeoutMs, maxSilenceMs, retry, idempotent } =
    options
  if (!isOneOf(places, place)) refuse('place', quoted(places))
  if (!isOneOf(executionModes, executionMode)) refuse('executionMode', quoted(executionModes))
  if (!isOneOf(effects, options.effects)) refuse('effects', quoted(effects))
  if (!isOptionalBoolean(needsApproval) && typeof needsApproval !== 'function') {
    refuse('needsApproval', 'true, false or a function of the input that says so')
  }
  if (!isOptionalBoolean(idempotent)) refuse('idempotent', 'true or false')
  if (!isOptionalBoolean(options.transferResources)) refuse('transferResources', 'true or false')
  if (timeoutMs === 0 || !isTime(timeoutMs ?? 1)) {
    refuse('timeoutMs', `more than 0 and at most ${longestTimerMs} milliseconds, or null for none`)
  }
  if (
    !isTime(maxSilenceMs ?? shortestSilenceMs) ||
    (maxSilenceMs ?? Infinity) < shortestSilenceMs
  ) {
    refuse('maxSilenceMs', `at least ${shortestSilenceMs} milliseconds, or null for any silence`)
  }
  const { maxAttempts, baseMs = 0, capMs = 0 } = retry ?? { maxAttempts: 2 }
  if (!Number.isSafeInteger(maxAttempts) || maxAttempts < 2) {
    refuse(
      'retry.maxAttempts',
      'a whole number of at least 2; leave retry out for a single attempt',
    )
  }
  if (!isTime(baseMs)) refuse('retry.baseMs', `from 0 to ${longestTimerMs} milliseconds`)
  if (!isTime(capMs)) refuse('retry.capMs', `from 0 to ${longestTimerMs} milliseconds`)
}

function isOneOf(choices: readonly string[], value: string | undefined): boolean {
  return value === undefined || choices.includes(value)
}

function isOptionalBoolean(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean'
}

function isTime(ms: number): boolean {
  return Number.isFinite(ms) && ms >= 0 && ms <= longestTimerMs
}

function quoted(choices: readonly string[]): string {
  const all = choices.map((choice) => `'${choice}'`)
  return `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`
}
