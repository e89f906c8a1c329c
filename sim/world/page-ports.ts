import type { WorldRules } from '../../packages/core/rules/rules.ts'
import type { AgentOptions, CompactionOptions } from '../../packages/core/src/agent/options.ts'
import type { Model, ModelRequest } from '../../packages/core/src/model/port.ts'
import { inClient } from '../../packages/core/src/tools/page/client-host.ts'
import { createWorkerHost } from '../../packages/core/src/tools/page/worker-host.ts'
import type { AnswerPlan, CallPlan, CompactionPlan, Plan } from '../plan.ts'
import { type Connection, connect } from './connection.ts'
import { createFussy, hasFussy } from './fussy.ts'
import { createHooks, type HookScene, perform } from './hooks.ts'
import { createModel } from './model.ts'
import type { Visitor } from './origin.ts'
import { createPageTools } from './page-tools.ts'
import { createSubAgents } from './sub-agents.ts'
import type { Scope, WatchedClock } from './timeline.ts'
import { clientTools, workerTools } from './tools.ts'
import type { PostedRun } from './worker.ts'
import { createWorkers, type Workers } from './workers.ts'
import type { World } from './world.ts'

/** What the edges of one page are made from. */
export interface PagePorts {
  readonly world: World
  readonly scope: Scope
  readonly clock: WatchedClock
  readonly visitor: Visitor
  /** Reports to the rules what happened in the world. */
  readonly rules: (note: (rules: WorldRules) => void) => void
}

/** Milliseconds for which the slot of a killed worker is held: only this timer may outlive its run. */
export const afterlifeMs = 2000

/** How many workers may be alive at once. */
export function allowedWorkers({ options }: Plan): number {
  return options.maxConcurrency ?? 8
}

export function workersOf({ world, scope, rules }: PagePorts): Workers {
  const allowed = allowedWorkers(world.plan)
  return createWorkers({
    timeline: world.timeline,
    scope,
    everyMessageTwice: world.mode.everyMessageTwice === true,
    planOf: (run) => callOf(run, world.calls),
    nextStart: () => world.startFaultOf(world.used.workers++),
    noteLive: (alive) => rules((judge) => judge.workers({ alive, allowed })),
    notePosted: (run) => {
      world.executions.push(run.executionId)
      rules((judge) => judge.posted({ ...run, durable: isStored(run.executionId, world) }))
    },
    noteBegun: (run) => rules((judge) => judge.affected(run)),
    noteReply: (run, reply) => rules((judge) => judge.replied({ ...run, ...reply, genuine: true })),
    noteFault: (fault) => world.inject(`tool_${fault}`),
    noteSaid: ({ executionId }, saying) => world.hearing.said(executionId, saying),
    foreignId: (own) => world.executions.findLast((id) => id !== own) ?? 'exec_0',
  })
}

export function connectionOf({ world, scope, visitor }: PagePorts): Connection {
  const { plan, mode, disk, timeline, used } = world
  return connect({
    disk,
    timeline,
    scope,
    visitor,
    latencyMs: plan.diskMs ?? 0,
    oneByOne: mode.oneEventPerAppend === true,
    nextAppend: () => world.appendPlanOf(used.appends++),
    nextLoad: () => world.loadPlanOf(used.loads++)?.fault,
    nextFile: () => world.filePlanOf(used.files++),
    isFullClaim: () => used.claims++ === plan.pages?.fullClaim,
    noteFault: (fault) => world.inject(`storage_${fault}`),
    noteRefused: (key) => void world.refusedFiles.add(key),
  })
}

/** The options of the plan, with a model, tools, hooks and a storage of this world. */
export function optionsOf(
  ports: PagePorts,
  workers: Workers,
  connection: Connection | null,
): AgentOptions {
  const { world, clock, scope, rules } = ports
  const { timeline, inject, plan } = world
  const { hooks, compaction, ...options } = plan.options
  const scene: HookScene = {
    timeline,
    scope,
    noteFault: inject,
    hooked: (hook) => rules((judge) => judge.hooked(hook)),
    isAborting: () => world.desk.run() === 'aborting',
  }
  const tools = [
    createWorkerHost(workerTools, workers.spawn, { clock, bootTimeoutMs: 1000 }),
    pageToolsOf(ports, scene),
  ]
  const subScene = { world, rules, tools, modelOf: modelIn(ports) }
  return {
    maxConcurrency: allowedWorkers(plan),
    ...options,
    model: modelIn(ports)(() => plan.answers[world.used.answers++]),
    tools: [
      ...tools,
      inClient(clientTools),
      ...(plan.sub ? [createSubAgents(plan.sub, subScene)] : []),
    ],
    ...(hooks && { hooks: createHooks(hooks, scene) }),
    ...(compaction && { compaction: compactionOf(compaction, scene) }),
    ...(connection && { storage: connection, sessionId: 'session' }),
  }
}

function pageToolsOf({ world, scope, clock, rules }: PagePorts, scene: HookScene) {
  const planOf = (n: number): CallPlan | undefined => world.calls[n]
  return createPageTools({
    timeline: world.timeline,
    scope,
    clock,
    rules,
    planOf,
    others: hasFussy(world.plan) ? [createFussy(planOf, scene)] : [],
    executionOf: (toolCallId) => world.desk.executionOf(toolCallId),
    isStored: (executionId) => isStored(executionId, world),
    noteFault: world.inject,
    noteSaid: world.hearing.said,
  })
}

function modelIn({ world, scope, rules }: PagePorts) {
  const { timeline, calls, inject } = world
  const noteRequest = ({ messages }: ModelRequest): void => {
    // If the whole history is summarised, the summary is the only message. Its id names the message that follows it.
    const last = messages.at(-1)?.id ?? ''
    const agentId = world.desk.agentOf(last.replace('summary-before-', ''))
    rules((judge) => judge.requested({ messages, agentId }))
  }
  return (nextAnswer: () => AnswerPlan | undefined): Model =>
    createModel({
      timeline,
      scope,
      nextAnswer,
      numberOf: (call) => calls.push(call) - 1,
      // Reported in a microtask, because the agent sends the request before it writes the facts of the same step.
      noteRequest: (request) => queueMicrotask(() => noteRequest(request)),
      noteFault: inject,
      isNative: world.plan.output?.isNative === true,
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

/** Whether what permits the call is stored. */
function isStored(executionId: string, { disk, plan }: World): boolean {
  return plan.volatile === true || disk.has(executionId)
}

/** The number in a call's arguments names its plan. */
function callOf({ input }: PostedRun, calls: readonly CallPlan[]): CallPlan | undefined {
  return 'n' in input && typeof input.n === 'number' ? calls[input.n] : undefined
}
