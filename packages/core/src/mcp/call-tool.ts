import type { Result } from '@modelcontextprotocol/sdk/types.js'
import type { Clock } from '../internal/clock.ts'
import { defined } from '../internal/defined.ts'
import { isObject } from '../internal/json.ts'
import { pause } from '../internal/pause.ts'
import { toolResult } from '../tools/result/tool-result.ts'
import { ToolError } from '../tools/tool-error.ts'
import type { ToolContext } from '../tools/worker/context.ts'
import type { Connection } from './connection.ts'
import { outOfRules } from './mcp-server-error.ts'
import { readContent } from './read-content.ts'
import type { ListedTool } from './tool-list.ts'

/** A call, its connection, and the limits of waiting for it. */
export interface ToolCallPorts {
  readonly called: Pick<ListedTool, 'remoteName' | 'isTask'>
  readonly connection: Pick<Connection, 'ask'>
  readonly clock: Clock
}

/**
 * Makes one call on the server, as the code of a tool does: passes its progress on, and returns its result in our form.
 */
export async function callTool(
  input: unknown,
  context: ToolContext,
  ports: ToolCallPorts,
): Promise<unknown> {
  const { remoteName, isTask } = ports.called
  const result = await ports.connection.ask(
    {
      method: 'tools/call',
      params: {
        name: remoteName,
        ...(isObject(input) && { arguments: { ...input } }),
        ...(isTask && { task: {} }),
      },
    },
    {
      signal: context.signal,
      isCall: true,
      onProgress: ({ progress, total, message }) =>
        context.onProgress({ value: progress, ...defined({ total, message }) }),
    },
  )
  return readResult(isTask ? await resultOfTask(result, context, ports) : result)
}

/** Milliseconds between two questions, whatever interval the server states. */
const shortestPollMs = 200
const longestPollMs = 10_000

interface Task {
  readonly taskId: string
  readonly status: unknown
  readonly statusMessage: unknown
  readonly pollInterval: unknown
}

/**
 * Asks for the state of a task until it has ended, and then for its result. A call that is stopped cancels its task.
 */
async function resultOfTask(
  created: Result,
  { signal, onProgress }: ToolContext,
  { connection, clock }: ToolCallPorts,
): Promise<Result> {
  let task = readTask(created['task'])
  const { taskId } = task
  try {
    while (task.status === 'working') {
      if (typeof task.statusMessage === 'string') onProgress({ status: task.statusMessage })
      await pause(pollMs(task), clock, signal)
      task = readTask(await connection.ask({ method: 'tasks/get', params: { taskId } }, { signal }))
    }
    // The server asks for an answer of the user, which this client does not offer.
    if (task.status === 'input_required') {
      await connection.ask({ method: 'tasks/cancel', params: { taskId } }).catch(() => undefined)
      throw ToolError.failed(
        'The MCP server asks for more input, which cannot be given here. Call the tool with more arguments.',
      )
    }
    if (task.status === 'cancelled') throw ToolError.cancelled('The MCP server cancelled the task.')
    return await connection.ask({ method: 'tasks/result', params: { taskId } }, { signal })
  } catch (error) {
    if (signal.aborted)
      await connection.ask({ method: 'tasks/cancel', params: { taskId } }).catch(() => undefined)
    throw error
  }
}

function readTask(value: unknown): Task {
  if (!isObject(value)) throw outOfRules('a tool that is a task did not give one')
  const { taskId, status, statusMessage, pollInterval } = value
  if (typeof taskId !== 'string') throw outOfRules('a task has no id')
  return { taskId, status, statusMessage, pollInterval }
}

function pollMs({ pollInterval }: Task): number {
  const wanted = typeof pollInterval === 'number' ? pollInterval : 1000
  return Math.min(Math.max(wanted, shortestPollMs), longestPollMs)
}

/** A result in our form. An error of the tool itself is a failure, and its text is what the model reads. */
function readResult({ content: blocks, structuredContent, isError }: Result): unknown {
  const { content, files } = readContent(blocks)
  if (isError === true) {
    const details = structuredContent === undefined ? {} : { details: structuredContent }
    return { content, isError: true, ...details }
  }
  return toolResult({
    output: structuredContent,
    // If there is no content, the model reads the structured content.
    ...((content.length > 0 || structuredContent === undefined) && { content }),
    ...(files.length > 0 && { artifacts: files }),
  })
}
