import { createDeferred } from '../../internal/deferred.ts'
import { messageOf } from '../../internal/message-of.ts'
import { toPlain } from '../../internal/plain.ts'
import type { AgentEvent, EventOf } from '../../kernel/events.ts'
import type { Message } from '../../kernel/message.ts'
import type { EventListener } from '../../runtime/notifier.ts'
import { isToolResultValue } from '../../tools/result/tool-result.ts'
import { type RunResult, resultOfRun } from '../run.ts'
import { AgentBusyError, type AgentUsageCode, AgentUsageError } from '../usage-errors.ts'
import type { RemoteOwner } from './ports.ts'
import type { Refusal, Said, Wish } from './wish.ts'

export interface Wishes extends RemoteOwner {
  /** The owner's answer to a wish. */
  readonly answered: (answer: Extract<Said, { readonly say: 'granted' | 'refused' }>) => void
  /** Asks once more what was not answered: there is an owner again. */
  readonly postAll: () => void
  /** The agent has become the owner: it does what no owner has answered. */
  readonly performAll: (perform: (wish: Wish) => Promise<string | undefined>) => void
  /** The agent ends: what runs on counts as interrupted here. */
  readonly close: () => void
}

export interface WishOptions {
  readonly post: (id: string, wish: Wish) => void
  readonly subscribe: (listener: EventListener) => () => void
  readonly newId: (prefix: string) => string
}

/** Asks the owner of the session to do what this agent may not. */
export function createWishes({ post, subscribe, newId }: WishOptions): Wishes {
  const open = new Map<string, { readonly wish: Wish; readonly answer: Answer }>()
  const closing = createDeferred<void>()

  async function ask(given: Wish): Promise<string | undefined> {
    const wish = asPosted(given)
    const id = newId('wish')
    const answer: Answer = createDeferred()
    open.set(id, { wish, answer })
    post(id, wish)
    return answer.promise
  }

  return {
    ask: async (wish) => {
      await ask(wish)
    },
    run: async (wish, signal) => {
      const runs = watchRuns(subscribe)
      // Asked as the run was: an owner that comes later does both.
      const stop = () => void ask({ command: 'abort' })
      signal?.addEventListener('abort', stop)
      try {
        const asked = ask(wish)
        if (signal?.aborted) stop()
        return await Promise.race([
          asked.then((runId) => runs.ended(runId ?? '')),
          closing.promise.then(() => resultOfRun([], undefined)),
        ])
      } finally {
        signal?.removeEventListener('abort', stop)
        runs.stop()
      }
    },
    answered: (said) => {
      const answer = open.get(said.id)?.answer
      open.delete(said.id)
      if (said.say === 'granted') answer?.resolve(said.runId)
      else answer?.reject(errorOf(said.refusal))
    },
    postAll: () => {
      for (const [id, { wish }] of open) post(id, wish)
    },
    performAll: (perform) => {
      for (const { wish, answer } of open.values())
        perform(wish).then(answer.resolve, answer.reject)
      open.clear()
    },
    close: closing.resolve,
  }
}

type Answer = ReturnType<typeof createDeferred<string | undefined>>

/** The wish as JSON holds it. Throws a `TypeError` for an answer that would arrive as another one. */
function asPosted(wish: Wish): Wish {
  if (wish.command !== 'addToolResult') return wish
  const { result } = wish
  if (result === undefined) return wish
  try {
    return { ...wish, result: toPlain(result), isMarked: isToolResultValue(result) }
  } catch (error) {
    throw new TypeError(
      `The answer goes to the tab that owns the session, as JSON: ${messageOf(error)}. Call takeOver() first to give any other.`,
    )
  }
}

/** Follows all runs, because the id of one is known only after it began. */
function watchRuns(subscribe: WishOptions['subscribe']) {
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
      new Promise<RunResult>((resolve) => {
        wake = () => {
          const run = runs.get(runId)
          if (run?.end) resolve(resultOfRun(run.messages, run.end))
        }
        wake()
      }),
  }
}

/** An error as plain data. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message } = error
  return error instanceof AgentUsageError ? { name, message, code: error.code } : { name, message }
}

function errorOf({ name, message, code }: Refusal): Error {
  if (isUsageCode(code)) return new AgentUsageError(code, message)
  if (name === 'AgentBusyError') return new AgentBusyError(message)
  return name === 'TypeError' ? new TypeError(message) : new Error(message)
}

// Whatever the owner calls it: both pages run the same library.
function isUsageCode(code: string | undefined): code is AgentUsageCode {
  return code !== undefined
}
