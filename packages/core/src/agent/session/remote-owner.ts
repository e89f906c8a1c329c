import type { Clock } from '../../internal/clock.ts'
import { createDeferred } from '../../internal/deferred.ts'
import { defined } from '../../internal/defined.ts'
import { messageOf } from '../../internal/message-of.ts'
import { toPlain } from '../../internal/plain.ts'
import type { AgentEvent, EventOf } from '../../kernel/events.ts'
import type { Message } from '../../kernel/message.ts'
import { settleThrown } from '../../tools/result/settle-returned.ts'
import { isToolResultValue } from '../../tools/result/tool-result.ts'
import { isToolError } from '../../tools/tool-error.ts'
import { type RunResult, resultOfRun } from '../run.ts'
import { createOpenWishes, type OpenWishes } from './open-wishes.ts'
import type { RemoteOwner, SessionPorts } from './ports.ts'
import { errorOf } from './refusal.ts'
import { problemOfWish } from './said-shapes.ts'
import type { Said, Wish } from './wish.ts'

export interface Wishes
  extends RemoteOwner,
    Pick<OpenWishes, 'postAll' | 'performAll' | 'rejectAll' | 'fail'> {
  /** The owner's answer to a wish. */
  readonly answered: (answer: Extract<Said, { readonly say: 'granted' | 'refused' }>) => void
  /** Stored events: a wish that one of them names was done, whether that was answered or not. */
  readonly seen: (events: readonly AgentEvent[]) => void
  /** The agent ends: what runs on counts as interrupted here. */
  readonly close: () => void
}

export interface WishOptions {
  readonly post: (id: string, wish: Wish) => void
  readonly ports: Pick<SessionPorts, 'subscribe' | 'show' | 'log' | 'state'>
  readonly newId: (prefix: string) => string
  readonly clock: Clock
}

/** Asks the owner of the session to do what this agent may not. */
export function createWishes({ post, ports, newId, clock }: WishOptions): Wishes {
  const open = createOpenWishes(post, clock)
  const closing = createDeferred<void>()
  // Rejects for runs that were granted, when their end cannot come any more.
  const failing = createDeferred<never>()
  failing.promise.catch(() => {})

  async function ask(wish: Wish): Promise<string | undefined> {
    return open.add(newId('wish'), readable(asPosted(wish)))
  }

  return {
    ask: async (wish) => {
      await ask(wish)
    },
    send: (wish) => {
      ports.show({ refused: null })
      ask(wish).catch((error: unknown) => {
        ports.show({ refused: { command: wish.command, message: messageOf(error) } })
      })
      return true
    },
    run: async (wish, signal) => {
      const runs = watchRuns(ports.subscribe)
      // The stop is sent in the same way as the run, so that a later owner that does one does both.
      const stop = () => void ask({ command: 'abort' }).catch(() => {})
      signal?.addEventListener('abort', stop)
      try {
        const asked = ask(wish)
        if (signal?.aborted) stop()
        return await Promise.race([
          asked.then((runId) => runs.ended(runId ?? '')),
          closing.promise.then(() => resultOfRun([])),
          failing.promise,
        ])
      } finally {
        signal?.removeEventListener('abort', stop)
        runs.stop()
      }
    },
    answered: (said) => {
      if (said.say === 'granted') open.granted(said.id, said.runId)
      else open.refused(said.id, errorOf(said.refusal))
    },
    seen: (events) => {
      for (const event of events) {
        if (event.wishId !== undefined) open.granted(event.wishId, runOf(event, ports))
      }
    },
    postAll: open.postAll,
    performAll: open.performAll,
    rejectAll: open.rejectAll,
    fail: (error) => {
      open.fail(error)
      failing.reject(error)
    },
    close: () => {
      open.close()
      closing.resolve()
    },
  }
}

/**
 * The wish as JSON holds it, a `ToolError` as the result that says the same. Throws a `TypeError` for an answer to a call
 * that would arrive changed.
 */
function asPosted(wish: Wish): Wish {
  if (wish.command !== 'addToolResult') return wish
  const { result } = wish
  if (result === undefined) return wish
  if (isToolError(result)) {
    const { message: content, details } = settleThrown(result)
    return { ...wish, result: { content, isError: true, ...defined({ details }) } }
  }
  try {
    // JSON would leave a result inside of other data without its mark, and what the model may not read with it.
    const inner = (one: object) =>
      one !== result && isToolResultValue(one) ? 'a toolResult' : undefined
    return { ...wish, result: toPlain(result, inner), isMarked: isToolResultValue(result) }
  } catch (error) {
    throw new TypeError(
      `The answer goes to the tab that owns the session, as JSON: ${messageOf(error)}. Call takeOver() first to give any other.`,
    )
  }
}

/** Throws a `TypeError` for a wish that no owner could read. */
function readable(wish: Wish): Wish {
  const problem = problemOfWish(wish)
  if (problem === null) return wish
  throw new TypeError(`The tab that owns the session cannot be asked this: ${problem.slice(1)}.`)
}

/** The run of the session in which an event was written. An agent inside a call has runs of its own. */
function runOf(
  event: AgentEvent,
  { log, state }: Pick<SessionPorts, 'log' | 'state'>,
): string | undefined {
  if (event.agentId === undefined) return event.runId ?? undefined
  const isOfRun = ({ seq, agentId, runId }: AgentEvent) =>
    seq < event.seq && agentId === undefined && runId !== null
  return log.findLast(isOfRun)?.runId ?? state().run?.runId
}

/** Follows all runs, because the id of one is known only after it began. */
function watchRuns(subscribe: SessionPorts['subscribe']) {
  const runs = new Map<string, { readonly messages: Message[]; end?: EventOf<'agent_end'> }>()
  let wake = () => {}
  const stop = subscribe((event: AgentEvent) => {
    const { runId } = event
    if (runId === null || event.agentId !== undefined) return
    const run = runs.get(runId) ?? { messages: [] }
    runs.set(runId, run)
    if (event.type === 'message_end' && !event.excluded) run.messages.push(event.message)
    if (event.type !== 'agent_end') return
    run.end = event
    wake()
  })
  return {
    stop,
    ended: (runId: string) =>
      new Promise<RunResult<never>>((resolve) => {
        wake = () => {
          const run = runs.get(runId)
          if (run?.end) resolve(resultOfRun(run.messages, run.end))
        }
        wake()
      }),
  }
}
