import { expect, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { createRules, type Rules, toolRuleOf } from '../../rules/rules.ts'
import { isJsonObject, type JsonObject, toJson } from '../internal/json.ts'
import type { AgentEvent, EventOf } from '../kernel/events.ts'
import { textOf } from '../kernel/message.ts'
import type { ModelRequest } from '../model/port.ts'
import {
  createManualEnvironment,
  type ManualEnvironment,
  quiet,
} from '../runtime/environment.fixtures.ts'
import { defineTool, type Tool } from '../tools/definition.ts'
import type { ToolHost } from '../tools/host.ts'
import { inPage } from '../tools/page/page-host.ts'
import type { ToolContext } from '../tools/worker/context.ts'
import { type CallFate, implement } from '../tools/worker/implement.ts'
import { type Agent, createAgentIn } from './create-agent.ts'
import type { AgentOptions } from './options.ts'

/** An agent in a manual environment, with its events. */
export interface Watched {
  readonly agent: Agent
  readonly environment: ManualEnvironment
  readonly events: readonly AgentEvent[]
  readonly types: () => readonly string[]
  readonly eventsOf: <Type extends AgentEvent['type']>(type: Type) => readonly EventOf<Type>[]
}

/** The slot of a worker that was ended by force is held for so long, also after the run. */
const afterlifeMs = 2000

/**
 * Makes an agent. At the end of the test its log must keep every rule; with a storage, what is stored. If the agent
 * is at rest by then, nothing may be left open, and no timer may be set.
 */
export function watchedAgent(
  options: AgentOptions,
  environment: ManualEnvironment = createManualEnvironment(),
): Watched {
  const made = createAgentIn(options, environment)
  let isDisposed = false
  const agent: Agent = {
    ...made,
    dispose: () => {
      isDisposed = true
      made.dispose()
    },
  }
  const events: AgentEvent[] = []
  agent.subscribe((event) => events.push(event))
  onTestFinished(async () => {
    environment.clock.advance(afterlifeMs)
    await quiet()
    const { storage, sessionId = 'session_1' } = options
    const log = storage ? await storage.read(sessionId) : [opening, ...events]
    const rules = rulesFor(options)
    for (const event of log) rules.see(event)
    const stopped = isDisposed || agent.getState().error?.kind === 'storage'
    rules.rest({ timers: environment.clock.pending() }, { stopped })
    expect(rules.broken).toEqual([])
  })
  return {
    agent,
    environment,
    events,
    types: () => events.map((event) => event.type),
    eventsOf: (type) =>
      events.filter((event): event is EventOf<typeof type> => event.type === type),
  }
}

// The rules of the simulation, for a log alone, because the test controls the world around it.
function rulesFor(options: AgentOptions): Rules {
  const { tools = [], toolMode, toolEvents, steeringMode, followUpMode } = options
  const { maxConcurrency, maxCallsPerTurn, maxToolResultChars } = options
  const hosts = 'open' in tools ? [tools] : tools
  return createRules({
    ...(toolMode && { toolMode }),
    ...(toolEvents !== undefined && { toolEvents }),
    ...(steeringMode && { steeringMode }),
    ...(followUpMode && { followUpMode }),
    ...(maxConcurrency !== undefined && { maxConcurrency }),
    ...(maxCallsPerTurn !== undefined && { maxCallsPerTurn }),
    ...(maxToolResultChars !== undefined && { maxToolResultChars }),
    tools: Object.fromEntries(
      hosts.flatMap((host) => host.tools).map((tool) => [tool.name, toolRuleOf(tool)]),
    ),
    hasDeltas: !options.storage,
    judgeEvery: 1,
    compareStates: true,
  })
}

// This event is written before a listener can be added.
const opening: AgentEvent = {
  v: 1,
  seq: 0,
  ts: 0,
  sessionId: 'session_1',
  runId: null,
  turn: 0,
  type: 'session_opened',
  bootId: 'boot_1',
}

export type PageCode = (context: ToolContext, input: JsonObject) => unknown

type PageCheck = (input: object, context: ToolContext) => CallFate<Tool>

type PageToolOptions = Partial<
  Pick<
    Tool,
    'timeoutMs' | 'executionMode' | 'needsApproval' | 'idempotent' | 'effects' | 'onInterrupt'
  >
> & { readonly retry?: { readonly maxAttempts: number }; readonly check?: PageCheck }

/** Tools on the page, by name. Each takes any object. */
export function pageTools(
  environment: ManualEnvironment,
  codes: { readonly [name: string]: PageCode },
  { check, ...options }: PageToolOptions = {},
): ToolHost {
  const implementations = Object.entries(codes).map(([name, code]) =>
    implement(
      defineTool({
        name,
        description: 'Does what the test says.',
        place: 'page',
        inputSchema: z.looseObject({}),
        ...options,
      }),
      (input, context) => {
        const args = toJson(input)
        return code(context, isJsonObject(args) ? args : {})
      },
      ...(check ? [{ check }] : []),
    ),
  )
  return inPage(implementations, { clock: environment.clock })
}

/** Collects errors that are reported as uncaught, so that they do not fail the test run. */
export function catchReports(): readonly unknown[] {
  const reports: unknown[] = []
  const spy = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((callback) => {
    void Promise.resolve().then(() => {
      try {
        callback()
      } catch (error) {
        reports.push(error)
      }
    })
  })
  onTestFinished(() => spy.mockRestore())
  return reports
}

/** The texts of the tool results in a request, in order: what the model reads of its calls. */
export function resultsIn(request: ModelRequest | undefined): readonly string[] {
  return (request?.messages ?? []).flatMap((message) =>
    message.role === 'toolResult' ? [textOf(message.content)] : [],
  )
}

/** The texts of the user messages in a request, in order. */
export function saidIn(request: ModelRequest | undefined): readonly string[] {
  return (request?.messages ?? []).flatMap((message) =>
    message.role === 'user' ? [textOf(message.content)] : [],
  )
}

/** A tool on the page that takes this long. */
export function sleeping(environment: ManualEnvironment, ms: number): PageCode {
  return ({ toolName }) =>
    new Promise((resolve) => {
      environment.clock.setTimer(ms, () => resolve(`${toolName} slept`))
    })
}

/** Moves the clock until a promise has settled. */
export async function passTime<Value>(
  environment: ManualEnvironment,
  promise: Promise<Value>,
  stepMs = 10,
): Promise<Value> {
  let isDone = false
  const done = promise.finally(() => (isDone = true))
  for (let steps = 0; steps < 10_000; steps += 1) {
    await quiet()
    if (isDone) break
    environment.clock.advance(stepMs)
  }
  return done
}
