import type { AgentEvent, DurableEvent } from '../packages/core/src/kernel/events.ts'
import { isDurable } from '../packages/core/src/kernel/events.ts'
import type { DisputeScene } from './disputed.ts'
import { isDisputed } from './disputed.ts'
import type { Plan } from './plan.ts'
import { createRetryRule } from './retry-rule.ts'
import { strictJudges } from './rules/judges.ts'
import type { RuleOptions, Rules } from './rules/rules.ts'
import { createRules } from './rules/rules.ts'
import { toolRules, unseenTexts } from './world/tools.ts'

/** A rule that did not hold, and where. */
export interface BrokenRule {
  readonly rule: string
  readonly why: string
}

/** Watches one session with every rule there is. */
export interface Judge {
  readonly rules: () => Rules
  readonly event: (event: AgentEvent) => void
  /** The page is gone, and this is what was stored. */
  readonly reload: (durable: readonly DurableEvent[]) => void
  /** As `reload`, when somebody else wrote the session: what was told last never came to be. */
  readonly replace: (durable: readonly DurableEvent[]) => void
  readonly broken: (rule: string, why: string) => void
  /** What is broken so far. */
  readonly found: () => readonly BrokenRule[]
}

/** Every how many plans the transcript is judged at every prefix of the log, which costs as much as all else. */
const closeLook = 6

export function createJudge(plan: Plan): Judge {
  const found: BrokenRule[] = []
  let sorted = 0
  let rules = createRules(ruleOptionsOf(plan))
  const retryRule = createRetryRule()
  let isLost = false
  const isLookedAt = plan.options.hooks?.after !== undefined
  const retried = new Set<string>()
  const approved = new Set<string>()
  const note = (event: AgentEvent): void => {
    if (event.type === 'session_opened') isLost = true
    if (event.type === 'agent_start') isLost = false
    if (event.type === 'auto_retry_start') retried.add(event.toolCallId ?? '')
    if (event.type === 'tool_approval_resolved') approved.add(event.toolCallId)
    // No longer the first dispatch.
    if (event.type === 'tool_running') approved.delete(event.toolCallId)
  }
  const sceneOf = (event: AgentEvent | null): DisputeScene => {
    const id = event && 'toolCallId' in event ? event.toolCallId : undefined
    const isRetried = id !== undefined && retried.has(id)
    const isApproved = id !== undefined && approved.has(id)
    return { event, isLost, isRetried, isApproved, isLookedAt }
  }
  const sort = (event: AgentEvent | null): void => {
    for (; sorted < rules.broken.length; sorted += 1) {
      const sentence = rules.broken[sorted] ?? ''
      if (!isDisputed(sentence, sceneOf(event))) found.push(read(sentence))
    }
  }
  const reload = (durable: readonly DurableEvent[]): void => {
    for (const event of durable) note(event)
    rules.reload(durable)
  }
  return {
    rules: () => rules,
    event: (event) => {
      note(event)
      const problem = retryRule(event)
      if (problem !== null) found.push({ rule: 'retry', why: problem })
      rules.see(event)
      sort(event)
    },
    reload,
    replace: (durable) => {
      sort(null)
      sorted = 0
      rules = createRules(ruleOptionsOf(plan))
      reload(durable)
    },
    broken: (rule, why) => void found.push({ rule, why }),
    found: () => {
      sort(null)
      return found
    },
  }
}

function read(sentence: string): BrokenRule {
  const [, rule = '?', why = sentence] = /^(\S+) (.*)$/.exec(sentence) ?? []
  return { rule, why }
}

function ruleOptionsOf({ options, seed }: Plan): RuleOptions {
  const { maxConcurrency = 8, maxCallsPerTurn, maxToolResultChars, abortGraceMs } = options
  const { toolMode, toolEvents, steeringMode, followUpMode, hookTimeoutMs, hooks } = options
  return {
    maxConcurrency,
    ...(maxCallsPerTurn !== undefined && { maxCallsPerTurn }),
    ...(maxToolResultChars !== undefined && { maxToolResultChars }),
    ...(abortGraceMs !== undefined && { abortGraceMs }),
    ...(hookTimeoutMs !== undefined && { hookTimeoutMs }),
    ...(toolMode && { toolMode }),
    ...(toolEvents !== undefined && { toolEvents }),
    ...(steeringMode && { steeringMode }),
    ...(followUpMode && { followUpMode }),
    hooks: {
      onUserPromptSubmit: hooks?.prompt !== undefined,
      beforeToolCall: hooks?.before !== undefined,
      afterToolCall: hooks?.after !== undefined,
    },
    tools: toolRules,
    unseen: unseenTexts,
    judges: strictJudges,
    judgeEvery: seed % closeLook === 0 ? 1 : 0,
  }
}

/** The number of the last durable event of a log. */
export function lastSeq(log: readonly AgentEvent[]): number {
  return log.findLast(isDurable)?.seq ?? -1
}
