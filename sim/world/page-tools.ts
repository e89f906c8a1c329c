import type { WorldRules } from '../../packages/core/rules/rules.ts'
import type { Saying } from '../../packages/core/rules/said.ts'
import type { ToolHost } from '../../packages/core/src/tools/host.ts'
import { inPage } from '../../packages/core/src/tools/page/page-host.ts'
import {
  type ToolResultValue,
  toolResult,
} from '../../packages/core/src/tools/result/tool-result.ts'
import type { ToolContext } from '../../packages/core/src/tools/worker/context.ts'
import { type CallFate, implement } from '../../packages/core/src/tools/worker/implement.ts'
import type { CallPlan } from '../plan.ts'
import type { PageTool } from './fussy.ts'
import { speak } from './speech.ts'
import type { Scope, Timeline, WatchedClock } from './timeline.ts'
import { pageTool, verifiedTool } from './tools.ts'
import { filesOf } from './worker-scripts.ts'

/** What the tools on the page need from the world. */
export interface PageScene {
  readonly timeline: Timeline
  readonly scope: Scope
  readonly clock: WatchedClock
  readonly planOf: (n: number) => CallPlan | undefined
  /** The execution that the log names for a call. */
  readonly executionOf: (toolCallId: string) => string
  readonly isStored: (executionId: string) => boolean
  readonly noteFault: (fault: string) => void
  readonly noteSaid: (executionId: string, saying: Saying) => void
  /** Tools with the behaviour of `page`, under other names. */
  readonly others: readonly PageTool[]
  readonly rules: (note: (rules: WorldRules) => void) => void
}

interface PageCall {
  readonly toolCallId: string
  readonly attempt: number
  readonly executionId: string
}

/** Tools that run on the page itself, where their code cannot be ended by force. */
export function createPageTools(scene: PageScene): ToolHost {
  const { clock, executionOf, planOf, rules } = scene
  const code = async ({ n }: { readonly n: number }, mouth: ToolContext): Promise<Returned> => {
    const { toolCallId, attempt } = mouth
    const executionId = executionOf(toolCallId)
    const call: PageCall = { toolCallId, attempt, executionId }
    const durable = scene.isStored(executionId)
    const { validates = 'lets', asks = 'lets' } = planOf(n)?.checks ?? {}
    const allowed = !faultyHooks.has(validates) && !faultyHooks.has(asks)
    rules((judge) => {
      judge.posted({ ...call, durable, allowed })
      judge.affected(call)
    })
    return run(call, { ...scene, plan: planOf(n), mouth })
  }
  const check = async (
    { n }: { readonly n: number },
    { toolCallId, attempt }: ToolContext,
  ): Promise<CallFate<typeof verifiedTool>> => {
    const status = fates[n % fates.length] ?? 'unknown'
    const call = { toolCallId, attempt, executionId: executionOf(toolCallId) }
    rules((judge) => {
      judge.checked({ ...call, says: status })
      if (status === 'done')
        judge.replied({ ...call, genuine: true, kind: 'returned', text: 'found' })
    })
    return status === 'done' ? { status, result: 'found' } : { status }
  }
  const tools = [pageTool, ...scene.others]
  return inPage(
    [...tools.map((tool) => implement(tool, code)), implement(verifiedTool, code, { check })],
    { clock },
  )
}

/** What a check says, by the number of its call. */
const fates = ['done', 'not_done', 'unknown'] as const

const faultyHooks: ReadonlySet<string> = new Set(['throws', 'rejects', 'hangs'])

interface Running extends PageScene {
  readonly plan: CallPlan | undefined
  readonly mouth: ToolContext
}

type Returned = string | ToolResultValue

async function run(call: PageCall, running: Running): Promise<Returned> {
  const { plan, mouth, rules, noteFault } = running
  const { signal } = mouth
  const { does = 'fine', ms = 0 } = plan ?? {}
  if (does !== 'fine' && does !== 'reports') noteFault(`tool_${does}`)
  const reply = (kind: 'returned' | 'threw', text?: string): void =>
    rules((judge) => judge.replied({ ...call, genuine: true, kind, ...(text && { text }) }))
  const wait = (waitMs = ms): Promise<void> =>
    new Promise((resolve) => running.timeline.after(waitMs, resolve, running.scope))
  switch (does) {
    case 'deaf':
      return new Promise(() => {})
    case 'hangs':
      return untilStopped(signal).then(() => {
        reply('threw')
        throw new Error('It was stopped.')
      })
    case 'ends_after_stop':
      await untilStopped(signal)
      await wait()
      break
    case 'throws':
      await wait()
      reply('threw')
      throw new Error('It failed.')
    case 'reports': {
      await wait()
      const note = (saying: Saying): void => running.noteSaid(call.executionId, saying)
      await speak({ mouth, wait, note }, plan?.says)
      break
    }
    default:
      await wait()
  }
  const text = does === 'huge' ? 'much '.repeat(60) : 'done'
  reply('returned', text)
  const { files = 0 } = plan ?? {}
  return files > 0
    ? toolResult({ content: text, artifacts: filesOf(call.executionId, files) })
    : text
}

function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
