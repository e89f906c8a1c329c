import { strictJudges } from '../packages/core/rules/judges.ts'
import { createRules, type RuleOptions, type Rules } from '../packages/core/rules/rules.ts'
import {
  type AgentEvent,
  type DurableEvent,
  isDurable,
} from '../packages/core/src/kernel/events.ts'
import { createOutputRule } from './output-rule.ts'
import type { Plan } from './plan.ts'
import { createRetryRule, type EventRule } from './retry-rule.ts'
import { secret } from './world/secret.ts'
import { toolRules, unseenTexts } from './world/tools.ts'

/** A rule that did not hold, and where. */
export interface BrokenRule {
  readonly rule: string
  readonly why: string
}

/** Checks one session against all rules. */
export interface Judge {
  readonly rules: Rules
  readonly event: (event: AgentEvent) => void
  /** The page is gone, and this is what was stored; `acknowledged` events of it had been confirmed. */
  readonly reload: (durable: readonly DurableEvent[], acknowledged: number) => void
  readonly broken: (rule: string, why: string) => void
  /** The rules broken so far. */
  readonly found: () => readonly BrokenRule[]
}

/**
 * One plan in this many has its transcript judged at every prefix of the log, which costs as much as all other checks.
 */
const closeLook = 6

export function createJudge(plan: Plan): Judge {
  const own: BrokenRule[] = []
  const rules = createRules(ruleOptionsOf(plan))
  const retries = new Map<string, EventRule>()
  const seeOutput = createOutputRule()
  return {
    rules,
    event: (event) => {
      const agentId = event.agentId ?? ''
      const seeRetry = retries.get(agentId) ?? createRetryRule()
      retries.set(agentId, seeRetry)
      const problem = seeRetry(event)
      if (problem !== null) own.push({ rule: 'retry', why: problem })
      const misjudged = seeOutput(event)
      if (misjudged !== null) own.push({ rule: 'O3', why: misjudged })
      rules.see(event)
    },
    reload: (durable, acknowledged) => rules.reload(durable, { acknowledged }),
    broken: (rule, why) => void own.push({ rule, why }),
    found: () =>
      rules.broken.length + own.length === 0 ? own : [...rules.broken.map(read), ...own],
  }
}

function read(sentence: string): BrokenRule {
  const [, rule = '?', why = sentence] = /^(\S+) (.*)$/.exec(sentence) ?? []
  return { rule, why }
}

function ruleOptionsOf({ options, seed, pages, audience = [] }: Plan): RuleOptions {
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
    secrets: [secret],
    unseen: unseenTexts,
    judges: strictJudges,
    isReentrant: audience.some(({ does }) => does === 'calls_back'),
    isShared: pages !== undefined,
    judgeEvery: seed % closeLook === 0 ? 1 : 0,
  }
}

/** The number of the last durable event of a log. */
export function lastSeq(log: readonly AgentEvent[]): number {
  return log.findLast(isDurable)?.seq ?? -1
}
