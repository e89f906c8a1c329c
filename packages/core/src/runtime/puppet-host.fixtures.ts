import { z } from 'zod'
import type { Clock } from '../internal/clock.ts'
import { createDeferred } from '../tools/deferred.ts'
import type { Tool } from '../tools/definition.ts'
import { defineTool } from '../tools/definition.ts'
import type { Code, Report } from '../tools/execution.ts'
import { createExecution } from '../tools/execution.ts'
import type { CallListener, CallRequest, ToolHost } from '../tools/host.ts'

type WorkerToolOptions = Partial<
  Pick<Tool, 'timeoutMs' | 'executionMode' | 'idempotent' | 'effects'>
> & { readonly retry?: { readonly maxAttempts: number; readonly baseMs?: number } }

/** A tool that runs in a worker and takes any object. */
export function workerTool(name: string, options: WorkerToolOptions = {}): Tool {
  return defineTool({
    name,
    label: `Label of ${name}`,
    description: 'Does what the test makes it do.',
    inputSchema: z.looseObject({}),
    ...options,
  })
}

/** One worker, played by the test. Every word can be said at any time, also when nobody should listen any more. */
export interface Puppet {
  readonly toolName: string
  /** The call it was given; `null` before. */
  readonly request: () => CallRequest | null
  readonly wasAskedToStop: () => boolean
  readonly isClosed: () => boolean
  readonly becomeReady: () => void
  readonly failToStart: (message: string) => void
  readonly begin: () => void
  readonly update: (text: string) => void
  readonly progress: (value: number) => void
  readonly log: (text: string) => void
  readonly custom: (name: string) => void
  readonly answer: (text: string) => void
  readonly settle: Report['settled']
  readonly crash: (message: string) => void
}

export interface PuppetHost extends ToolHost {
  /** Every worker that was started, in order. */
  readonly puppets: readonly Puppet[]
  /** The puppet of the n-th worker started for a tool; fails when there is none. */
  readonly puppet: (toolName: string, index?: number) => Puppet
  /** Workers that were started and not closed. */
  readonly alive: () => number
  /** What the runtime did wrong with the workers. */
  readonly misuses: readonly string[]
}

export interface PuppetOptions {
  readonly clock: Clock
  /** Whether a worker is ready as soon as it is started. Default true. */
  readonly readyAtOnce?: boolean
}

/** Workers whose every step the test takes, under the real rules of an execution. */
export function createPuppetHost(
  tools: readonly Tool[],
  { clock, readyAtOnce = true }: PuppetOptions,
): PuppetHost {
  const puppets: Puppet[] = []
  const misuses: string[] = []
  return {
    tools,
    puppets,
    misuses,
    puppet: (toolName, index = 0) => {
      const found = puppets.filter((puppet) => puppet.toolName === toolName)[index]
      if (!found) throw new Error(`No worker ${index} was started for ${toolName}.`)
      return found
    },
    alive: () => puppets.filter((puppet) => !puppet.isClosed()).length,
    check: () => Promise.resolve(),
    open: (tool, { graceMs }) =>
      createExecution(
        (report) => {
          const { code, puppet } = createPuppet(tool.name, report, misuses)
          puppets.push(puppet)
          if (readyAtOnce) puppet.becomeReady()
          return code
        },
        { graceMs, clock },
      ),
  }
}

function createPuppet(
  toolName: string,
  report: Report,
  misuses: string[],
): { readonly code: Code; readonly puppet: Puppet } {
  let given: { readonly request: CallRequest; readonly listener: CallListener } | null = null
  let isReady = false
  let wasAskedToStop = false
  let isClosed = false
  const readiness = createDeferred<void>()
  const listener = (): CallListener => {
    if (!given) throw new Error(`${toolName} was not given a call yet.`)
    return given.listener
  }
  const settle = report.settled

  const code: Code = {
    ready: readiness.promise,
    run: (request, ears) => {
      if (!isReady) misuses.push(`${toolName} was run before it was ready`)
      if (given) misuses.push(`${toolName} was run twice`)
      if (isClosed) misuses.push(`${toolName} was run after it was closed`)
      given = { request, listener: ears }
    },
    abort: () => {
      if (wasAskedToStop) misuses.push(`${toolName} was asked to stop twice`)
      wasAskedToStop = true
    },
    close: () => {
      if (isClosed) misuses.push(`${toolName} was closed twice`)
      isClosed = true
    },
  }
  return {
    code,
    puppet: {
      toolName,
      request: () => given?.request ?? null,
      wasAskedToStop: () => wasAskedToStop,
      isClosed: () => isClosed,
      becomeReady: () => {
        isReady = true
        readiness.resolve()
      },
      failToStart: (message) => {
        readiness.reject(new Error(message))
        report.crashed(message)
      },
      begin: () => listener().running(),
      update: (text) => listener().update({ content: [{ type: 'text', text }] }),
      progress: (value) => listener().progress({ value, total: 100 }),
      log: (text) => listener().log([{ level: 'info', text, t: 0 }], 0),
      custom: (name) => listener().custom(name, { of: toolName }, false),
      settle,
      answer: (text) => settle({ kind: 'returned', result: { content: [{ type: 'text', text }] } }),
      crash: report.crashed,
    },
  }
}
