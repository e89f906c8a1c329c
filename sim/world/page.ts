import type { Agent } from '../../packages/core/src/agent.ts'
import { createAgentIn } from '../../packages/core/src/agent.ts'
import type { AgentOptions } from '../../packages/core/src/agent-options.ts'
import type { AgentEvent } from '../../packages/core/src/kernel/events.ts'
import type { ModelRequest } from '../../packages/core/src/model/port.ts'
import { inWorkers } from '../../packages/core/src/tools/worker-host.ts'
import type { CallPlan } from '../plan.ts'
import { createModel, done } from './model.ts'
import type { Scope, WatchedClock } from './timeline.ts'
import { createClock } from './timeline.ts'
import { workerTools } from './tools.ts'
import type { PostedRun, Workers } from './workers.ts'
import { createWorkers } from './workers.ts'
import type { World } from './world.ts'

/** One opening of the agent, from its creation until the page goes away. */
export interface Page {
  readonly agent: Agent
  readonly clock: WatchedClock
  readonly workers: Workers
  /** The page is gone at once: nothing of it happens any more. */
  readonly vanish: () => void
}

/** Who hears of what the agent does. */
export interface Watcher {
  readonly event: (event: AgentEvent) => void
  readonly request: (request: ModelRequest) => void
  readonly workers: (live: number) => void
  readonly posted: (run: PostedRun) => void
}

/** Opens the agent in a world: the real one, with its edges replaced. */
export function openPage(world: World, watcher: Watcher): Page {
  const { timeline, plan, used } = world
  const scope: Scope = { gone: false }
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
    noteLive: told(watcher.workers),
    notePosted: told(watcher.posted),
    noteFault: (fault) => world.inject(`tool_${fault}`),
    foreignId: () => 'exec_0',
  })
  const model = createModel({
    timeline,
    scope,
    nextAnswer: () => plan.answers[used.answers++] ?? done,
    numberOf: (call) => world.calls.push(call) - 1,
    noteRequest: told(watcher.request),
    noteFault: world.inject,
  })
  const options: AgentOptions = {
    ...plan.options,
    model,
    tools: inWorkers(workerTools, workers.spawn, { clock, bootTimeoutMs: 1000 }),
  }
  const agent = createAgentIn(options, {
    clock,
    newId: world.newId,
    schedule: {
      soon: (callback) => queueMicrotask(callback),
      nextFrame: (callback) => timeline.after(16, callback, scope),
    },
  })
  world.status = () => agent.getState().status
  watcher.event(openingOf(clock.now()))
  agent.subscribe(told(watcher.event))
  return {
    agent,
    clock,
    workers,
    vanish: () => {
      scope.gone = true
    },
  }
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
