import type { Agent } from '../../packages/core/src/agent.ts'
import { createAgentIn } from '../../packages/core/src/agent.ts'
import type { AgentOptions, CompactionOptions } from '../../packages/core/src/agent-options.ts'
import type { AgentEvent } from '../../packages/core/src/kernel/events.ts'
import { inClient } from '../../packages/core/src/tools/client-host.ts'
import { inWorkers } from '../../packages/core/src/tools/worker-host.ts'
import type { CallPlan, CompactionPlan, Plan } from '../plan.ts'
import type { WorldRules } from '../rules/rules.ts'
import type { Connection } from './disk.ts'
import { connect } from './disk.ts'
import type { HookScene } from './hooks.ts'
import { createHooks, perform } from './hooks.ts'
import { createModel, done } from './model.ts'
import type { Scope, WatchedClock } from './timeline.ts'
import { createClock } from './timeline.ts'
import { clientTools, workerTools } from './tools.ts'
import type { PostedRun, Workers } from './workers.ts'
import { createWorkers } from './workers.ts'
import type { World } from './world.ts'

/** One opening of the agent, from its creation until the page goes away. */
export interface Page {
  readonly agent: Agent
  readonly clock: WatchedClock
  readonly workers: Workers
  readonly connection: Connection | null
  /** The page is gone at once: nothing of it happens any more. */
  readonly vanish: () => void
  /** Its author has no more use for the agent. */
  readonly dispose: () => void
  readonly isDisposed: () => boolean
}

/** Who hears of what the agent does. */
export interface Watcher {
  readonly event: (event: AgentEvent) => void
  readonly world: () => WorldRules
}

/** Opens the agent in a world: the real one, with its edges replaced. */
export function openPage(world: World, watcher: Watcher): Page {
  const { timeline, plan, used } = world
  const scope: Scope = { gone: false }
  let disposed = false
  const clock = createClock(timeline, scope)
  const told = <Value>(tell: (value: Value) => void) => {
    return (value: Value): void => {
      if (!scope.gone) tell(value)
    }
  }
  const workers = createWorkers({
    timeline,
    scope,
    everyMessageTwice: world.mode.everyMessageTwice === true,
    planOf: (run) => callOf(run, world.calls),
    nextStart: () => world.startFaultOf(used.workers++),
    noteLive: told((alive) => watcher.world().workers({ alive, allowed: allowedWorkers(plan) })),
    notePosted: told((run) => watcher.world().posted({ ...run, durable: isStored(run, world) })),
    noteBegun: told((run) => watcher.world().affected(run)),
    noteReply: (run, reply) => {
      if (!scope.gone) watcher.world().replied({ ...run, ...reply, genuine: true })
    },
    noteFault: (fault) => world.inject(`tool_${fault}`),
    foreignId: () => 'exec_0',
  })
  const model = createModel({
    timeline,
    scope,
    nextAnswer: () => plan.answers[used.answers++] ?? done,
    numberOf: (call) => world.calls.push(call) - 1,
    // In a microtask: the agent asks first, and tells of it when its step is complete.
    noteRequest: told((request) => queueMicrotask(() => watcher.world().requested(request))),
    noteFault: world.inject,
  })
  const connection = plan.volatile ? null : connectTo(world, scope)
  const hookScene = {
    timeline,
    scope,
    noteFault: world.inject,
    hooked: (hook: Parameters<WorldRules['hooked']>[0]) => watcher.world().hooked(hook),
  }
  const { hooks, compaction, ...options } = plan.options
  const agentOptions: AgentOptions = {
    maxConcurrency: allowedWorkers(plan),
    ...options,
    model,
    tools: [
      inWorkers(workerTools, workers.spawn, { clock, bootTimeoutMs: 1000 }),
      inClient(clientTools),
    ],
    ...(hooks && { hooks: createHooks(hooks, hookScene) }),
    ...(compaction && { compaction: compactionOf(compaction, hookScene) }),
    ...(connection && { storage: connection, sessionId: 'session' }),
  }
  const agent = createAgentIn(agentOptions, {
    clock,
    newId: world.newId,
    random: world.random,
    schedule: {
      soon: (callback) => queueMicrotask(callback),
      nextFrame: (callback) => timeline.after(16, callback, scope),
    },
  })
  world.status = () => agent.getState().status
  if (!connection) watcher.event(openingOf(clock.now()))
  agent.subscribe(told(watcher.event))
  return {
    agent,
    clock,
    workers,
    connection,
    vanish: () => {
      scope.gone = true
    },
    dispose: () => {
      disposed = true
      agent.dispose()
    },
    isDisposed: () => disposed,
  }
}

function connectTo({ plan, mode, disk, timeline, used, ...world }: World, scope: Scope) {
  return connect({
    disk,
    timeline,
    scope,
    latencyMs: plan.diskMs ?? 0,
    oneByOne: mode.oneEventPerAppend === true,
    nextAppend: () => world.appendPlanOf(used.appends++),
    noteFault: (fault) => world.inject(`storage_${fault}`),
  })
}

function compactionOf(plan: CompactionPlan, scene: HookScene): CompactionOptions {
  const { thresholdTokens, keepTokens, summarize } = plan
  return {
    thresholdTokens,
    keepTokens,
    summarize: async ({ messages }) => {
      await perform(summarize, scene)
      return `A summary of ${messages.length} messages.`
    },
  }
}

/** The slot of a killed worker is taken for this long: the only timer that may outlive its run. */
export const afterlifeMs = 2000

/** How many workers may be alive at once. */
export function allowedWorkers({ options }: Plan): number {
  return options.maxConcurrency ?? 8
}

/** Whether what permits the call is durable. */
function isStored({ executionId }: PostedRun, { disk, plan }: World): boolean {
  return plan.volatile === true || disk.texts.some((text) => text.includes(`"${executionId}"`))
}

/** The first event, written before anybody can listen. */
function openingOf(ts: number): AgentEvent {
  return {
    v: 1,
    seq: 0,
    ts,
    sessionId: 'session_1',
    runId: null,
    turn: 0,
    type: 'session_opened',
    bootId: 'boot_1',
  }
}

/** A call finds its plan by the number in its arguments. */
function callOf({ input }: PostedRun, calls: readonly CallPlan[]): CallPlan | undefined {
  return 'n' in input && typeof input.n === 'number' ? calls[input.n] : undefined
}
