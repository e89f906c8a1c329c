import type { WorldRules } from '../../packages/core/rules/rules.ts'
import type { Agent } from '../../packages/core/src/agent/create-agent.ts'
import type { AgentChanges } from '../../packages/core/src/agent/options.ts'
import type { OutputOptions } from '../../packages/core/src/agent/output-schema.ts'
import type { RunResult } from '../../packages/core/src/agent/run.ts'
import { isJsonObject } from '../../packages/core/src/internal/json.ts'
import type { Deed, Moment } from '../plan.ts'
import type { Desk } from './desk.ts'

/** What the user acts on. */
export interface Seat {
  readonly agent: Agent
  readonly desk: Desk
  /** Registers a promise of the agent, which must settle. */
  readonly expect: (what: string, promise: Promise<unknown>) => void
  /** Registers an error that a command has thrown. */
  readonly thrown: (what: string, error: unknown) => void
  readonly after: (ms: number, act: () => void) => void
  readonly queued: WorldRules['queued']
  /** What its prompts ask for. */
  readonly asks: OutputOptions | undefined
  /** Registers what came of a prompt that asked for an output. */
  readonly answered: (result: RunResult) => void
}

/** Does one action. Returns `false` if there is nothing to do it to. */
export function act(deed: Deed, seat: Seat): boolean {
  try {
    return perform(deed, seat)
  } catch (error) {
    seat.thrown(deed.do, error)
    return true
  }
}

function perform(deed: Deed, seat: Seat): boolean {
  const { agent, desk, expect } = seat
  switch (deed.do) {
    case 'prompt':
      expect('prompt', prompt(deed.text, seat))
      return true
    case 'prompt_with_signal':
      promptWithSignal(deed.abortAfterMs, seat)
      return true
    case 'steer':
    case 'follow_up':
      enqueue(deed.do, deed.text, seat)
      return true
    case 'clear_queues':
      seat.queued({ type: 'cleared' })
      agent.clearQueues()
      return true
    case 'take_queued':
      return takeQueued(deed.pick, seat)
    case 'configure':
      agent.configure(picked(changes, deed.pick) ?? {})
      return true
    case 'abort':
      agent.abort()
      return true
    case 'continue':
      expect('continue', agent.continue())
      return true
    case 'regenerate':
      expect('regenerate', agent.regenerate())
      return true
    case 'move_head':
      agent.moveHead(picked([null, ...desk.messageIds()], deed.pick * 7) ?? null)
      return true
    case 'redact':
      return redact(deed.pick, seat)
    case 'cancel': {
      const toolCallId = picked(desk.openCalls(), deed.pick)
      if (toolCallId !== undefined) agent.cancelTool(toolCallId)
      return toolCallId !== undefined
    }
    case 'retry':
      return retry(deed.pick, seat)
    case 'retry_again':
      return retryAgain(seat)
    case 'answer_call': {
      const toolCallId = picked(desk.openCalls(), deed.pick)
      if (toolCallId === undefined) return false
      const { isError } = deed
      expect('addToolResult', agent.addToolResult(toolCallId, 'From the user.', { isError }))
      return true
    }
    case 'approve':
    case 'deny':
    case 'edit':
    case 'stale_approval':
      return respond({ do: deed.do, pick: deed.pick }, seat)
  }
}

async function prompt(text: string, { agent, asks, answered }: Seat): Promise<void> {
  if (asks) answered(await agent.prompt(text, asks))
  else await agent.prompt(text)
}

/** Options that a user changes between runs. The log states the options of each run. */
const changes: readonly AgentChanges[] = [
  { toolExecution: 'sequential' },
  { toolExecution: { type: 'batched', size: 2 } },
  { maxTurns: 1 },
  { maxTurns: null, toolExecution: 'parallel' },
  { system: 'You are brief.', retry: null },
]

function retry(pick: number, { agent, desk, expect }: Seat): boolean {
  const call = picked(desk.calls(), pick)
  if (!call) return false
  const { toolCallId, args } = call
  const others = { ...(isJsonObject(args) && args), retried: pick }
  const options = pick % 2 === 0 ? {} : { args: others }
  expect('retryTool', agent.retryTool(toolCallId, options))
  return true
}

/** Retries the same call again, on the branch that the last retry has left. */
function retryAgain({ agent, desk, expect }: Seat): boolean {
  const retried = desk.retried()
  if (!retried) return false
  agent.moveHead(retried.left)
  expect('retryTool', agent.retryTool(retried.toolCallId))
  return true
}

function redact(pick: number, { agent, desk, expect }: Seat): boolean {
  const ids = pick % 2 === 0 ? desk.messageIds() : desk.saidIds()
  const messageId = picked([...ids, ...desk.unsaidPrompts()], pick * 7)
  if (messageId !== undefined) expect('redact', agent.redact(messageId))
  return messageId !== undefined
}

function promptWithSignal(abortAfterMs: number, { agent, expect, after }: Seat): void {
  const controller = new AbortController()
  if (abortAfterMs === 0) controller.abort()
  else after(abortAfterMs, () => controller.abort())
  expect('prompt', agent.prompt('Hurry.', { signal: controller.signal }))
}

function enqueue(what: 'steer' | 'follow_up', text: string, { agent, queued }: Seat): void {
  // Reported before the agent is called, because it writes its own events at once.
  const queue = what === 'steer' ? 'steering' : 'followUp'
  queued({ type: 'queued', queue, content: [{ type: 'text', text }] })
  if (what === 'steer') agent.steer(text)
  else agent.followUp(text)
}

/** What the user sees may have been delivered meanwhile. */
function takeQueued(pick: number, { agent, queued }: Seat): boolean {
  const { steering, followUp } = agent.getState().queues
  const item = picked(
    [
      ...steering.map((content, index) => ({ queue: 'steering', index, content }) as const),
      ...followUp.map((content, index) => ({ queue: 'followUp', index, content }) as const),
    ],
    pick,
  )
  if (!item) return false
  const message = { ...item, to: pick % 2 === 0 ? undefined : 'steering' } as const
  queued({ type: 'taken', ...message })
  agent.takeQueued(message)
  return true
}

interface Response {
  readonly do: 'approve' | 'deny' | 'edit' | 'stale_approval'
  readonly pick: number
}

function respond(deed: Response, { agent, desk }: Seat): boolean {
  const approval = picked(desk.approvals(), deed.pick)
  if (!approval) return false
  const { toolCallId, argsDigest, args } = approval
  switch (deed.do) {
    case 'approve':
      agent.respondToApproval(toolCallId, { decision: 'approve', argsDigest })
      break
    case 'deny':
      agent.respondToApproval(toolCallId, { decision: 'deny', argsDigest, reason: 'No.' })
      break
    case 'edit':
      agent.respondToApproval(toolCallId, {
        decision: 'edit',
        argsDigest,
        args: { ...(isJsonObject(args) && args), edited: deed.pick },
      })
      break
    case 'stale_approval': {
      const old = desk.staleDigests().at(-1) ?? 'not the digest'
      agent.respondToApproval(toolCallId, { decision: 'approve', argsDigest: old })
    }
  }
  return true
}

function picked<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items[pick % items.length]
}

/** Whether the time of an action has come. */
export function isDue(at: Moment, now: { readonly seq: number; readonly step: number }): boolean {
  if (at === 'rest' || 'ms' in at) return false
  return 'seq' in at ? at.seq <= now.seq : at.step <= now.step
}
