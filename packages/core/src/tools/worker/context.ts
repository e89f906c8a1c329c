import type { Json } from '../../internal/json.ts'
import { nextTask } from '../../internal/next-task.ts'
import { toPlain } from '../../internal/plain.ts'
import type { ToolProgress } from '../../kernel/tool-outcome.ts'
import { type ContentInput, toLine, toParts } from '../content.ts'
import type { Resources } from '../definition.ts'
import type { CallRequest } from '../host.ts'
import { isProgress, toProgress } from '../progress.ts'
import { formatBytes } from '../result/cut-bytes.ts'
import { excessOf, fitPartial } from '../result/fit-to-size.ts'
import type { WriteLog } from './call-log.ts'
import type { Outlet } from './coalesce.ts'

/** A result that is not complete yet. Each one replaces the one before. */
interface ToolUpdate {
  readonly content?: ContentInput
  /** Anything JSON, for the page. */
  readonly details?: unknown
}

/** What an implementation gets beside its input. Each function may be taken out of it. */
export interface ToolContext {
  readonly toolCallId: string
  readonly toolName: string
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** Aborts when the call is to stop. Code that does not end within the grace period is ended by force. */
  readonly signal: AbortSignal
  /** The bytes that the tool's `resources` gave for this call. */
  readonly resources: Resources
  /**
   * What the agent was given as `context`: the same value on the page, a structured clone in a worker. `undefined`
   * without one.
   */
  readonly context: unknown
  /**
   * Shows a preliminary result on the call's card; the model never sees it. Call it as often as you like: it is
   * sent at most every 50 ms (`updateIntervalMs`), and the last one always. It is cut to size as a result is. Throws
   * a `TypeError` for what is not content or not JSON, and for an update without content and details.
   */
  readonly onUpdate: (update: ToolUpdate) => void
  /**
   * Reports what the call does and how far it is: a text, a status, numbers. A report with other words than the one
   * before is always sent; of those that only change the numbers the latest, at most every 50 ms (`updateIntervalMs`).
   * Throws a `TypeError` for what says none of that, and for a field of another type.
   */
  readonly onProgress: (progress: string | ToolProgress) => void
  /** Writes one line to the call's log: strings as they are, anything else as JSON, at most 2,000 characters. */
  readonly log: (...values: readonly unknown[]) => void
  /**
   * Sends an event of the tool's own to the page, in its order with all else that the call says. It only matters while
   * it happens; of more than 2,000 at once the oldest are left out, and the call's log says how many. With `durable`
   * it is stored and is there after a reload: at most 200 in a call. Throws a `TypeError` for more, and for data
   * that is not JSON, or over 1 MB.
   */
  readonly custom: (name: string, data: unknown, options?: { readonly durable?: boolean }) => void
  /**
   * Lets other work of this thread run first, so that a request to stop arrives in the middle of a computation.
   * Rejects with `signal.reason` once the call is to stop.
   *
   * @example
   * ```ts
   * for (const chunk of chunks) {
   *   crunch(chunk)
   *   await context.yield()
   * }
   * ```
   */
  readonly yield: () => Promise<void>
}

export interface ContextParts {
  readonly request: CallRequest
  readonly signal: AbortSignal
  readonly outlet: Outlet
  readonly log: WriteLog
}

export function createContext({ request, signal, outlet, log }: ContextParts): ToolContext {
  const { toolCallId, toolName, attempt, resources, context } = request
  return {
    toolCallId,
    toolName,
    attempt,
    signal,
    resources,
    context,
    onUpdate: ({ content, details }) => {
      if (content === undefined && details === undefined) throw new TypeError(saysNothing)
      outlet.update(
        fitPartial({
          content: content === undefined ? [] : toParts(content),
          ...(details !== undefined && { details: toPlain(details) }),
        }),
      )
    },
    onProgress: (progress) => {
      if (!isProgress(progress)) throw new TypeError(noProgress)
      outlet.progress(toProgress(progress))
    },
    log: (...values) => log('info', values),
    custom: (name, data, { durable = false } = {}) =>
      outlet.custom(toLine(String(name)) ?? '', sendable(data), durable === true),
    yield: async () => {
      await nextTask()
      signal.throwIfAborted()
    },
  }
}

const noProgress =
  'Progress is a text, or has a message, a status or a unit as texts, or a value or a total as numbers.'
const saysNothing = "An update needs content or details: onUpdate({ content: 'Half of it.' })."

function sendable(data: unknown): Json {
  const plain = toPlain(data)
  const excess = excessOf(plain)
  if (!excess) return plain
  throw new TypeError(
    `The data has ${formatBytes(excess.bytes)}: return it as an artifact of the result.`,
  )
}
