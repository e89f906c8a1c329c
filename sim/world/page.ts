import type { WorldRules } from '../../packages/core/rules/rules.ts'
import { type Agent, createAgentIn } from '../../packages/core/src/agent/create-agent.ts'
import type { OutputOptions } from '../../packages/core/src/agent/output-schema.ts'
import { type PageTurns, pageTurns } from '../../packages/core/src/internal/environment.ts'
import { portableSha256 } from '../../packages/core/src/internal/portable-sha256.ts'
import type { AgentEvent } from '../../packages/core/src/kernel/events.ts'
import type { AgentState } from '../../packages/core/src/store/agent-state.ts'
import type { PublishSchedule } from '../../packages/core/src/store/publish.ts'
import type { Deed, Plan } from '../plan.ts'
import { createAudience } from './audience.ts'
import type { Connection } from './connection.ts'
import type { Visitor } from './origin.ts'
import { outputOf } from './output.ts'
import { forget, hide } from './page-hide.ts'
import { connectionOf, optionsOf, type PagePorts, workersOf } from './page-ports.ts'
import { reportSubEnd } from './sub-agents.ts'
import { createClock, type Scope, type WatchedClock } from './timeline.ts'
import type { Workers } from './workers.ts'
import type { World } from './world.ts'

/** One opening of the agent, from its creation until the page goes away. */
export interface Page {
  readonly agent: Agent
  /** Reads the snapshot, as a component does that renders now. */
  readonly look: () => AgentState
  /** What a reader of the events got in another form than it was delivered, or `null`. */
  readonly misdelivered: () => string | null
  readonly clock: WatchedClock
  readonly workers: Workers
  readonly connection: Connection | null
  readonly visitor: Visitor
  /** What its prompts ask for. */
  readonly asks: OutputOptions | undefined
  /** What the agent shows that it does. */
  readonly status: () => string
  /** Whether the page itself wrote that it opened the session. */
  readonly hasOpened: (event: AgentEvent) => boolean
  /** The browser announces that the page goes away. */
  readonly hide: (isKept: boolean) => void
  /** The page is gone at once: nothing of it happens any more. */
  readonly vanish: () => void
  /** The application disposes of the agent. */
  readonly dispose: () => Promise<void>
  readonly isDisposed: () => boolean
}

/** What observes the agent. */
export interface Watcher {
  readonly event: (event: AgentEvent) => void
  readonly world: WorldRules
  /** An action inside a listener, while an event is delivered to it. */
  readonly act: (deed: Deed) => void
}

/**
 * Gives the page its turn often. A simulation has no tasks, so a turn is as many microtasks as an answer, or the user,
 * needs to come first.
 */
function shortTurns({ seed }: Plan): PageTurns {
  return {
    ...{ mostFacts: 1 + (seed % 5), mostCalls: 2 },
    next: async () => {
      for (let count = 0; count < 7; count += 1) await Promise.resolve()
    },
  }
}

/** Opens the agent in a world: the real agent, with fake edges. */
export function openPage(world: World, watcher: Watcher): Page {
  const { plan } = world
  const scope: Scope = { gone: false }
  const clock = createClock(world.timeline, scope)
  const visitor = world.origin.visit(scope)
  const ports: PagePorts = { world, scope, clock, visitor, rules: heardBy(watcher, scope) }
  const workers = workersOf(ports)
  const connection = plan.volatile ? null : connectionOf(ports)
  const publishing = createPublishing()
  const { newId, boots } = createNaming(world)
  const environment = {
    ...{ clock, newId, random: world.random, sha256, schedule: publishing },
    turns: world.mode.shortTurns ? shortTurns(plan) : pageTurns,
  }
  const agent = createAgentIn(optionsOf(ports, workers, connection), environment)
  const look = (): AgentState => {
    publishing.publish()
    return agent.getState()
  }
  agent.subscribe((event) => {
    if (scope.gone) return
    audience.note(event)
    watcher.event(event)
    reportSubEnd(event, world, ports.rules)
  })
  const audience = createAudience({
    // A page that loses the session loses events that were delivered, so readers would get others than listeners.
    plan: (plan.audience ?? []).filter(({ does }) => !plan.pages || does !== 'reads'),
    agent,
    stored: connection ? world.disk.events() : [],
    act: (deed) => {
      if (!scope.gone) watcher.act(deed)
    },
  })
  let isOpen = false
  agent.ready.then(
    () => (isOpen = true),
    () => {},
  )
  const opening = connection ? [] : [openingOf(clock.now())]
  for (const event of opening) {
    watcher.event(event)
    audience.note(event)
  }
  return {
    ...{ agent, look, clock, workers, connection, visitor, ...createDisposal(agent) },
    asks:
      plan.output &&
      outputOf(plan.output, { timeline: world.timeline, scope, noteFault: world.inject }),
    misdelivered: audience.problem,
    status: () => (isOpen ? look().status : 'opening'),
    hasOpened: (event) => event.type === 'session_opened' && boots.has(event.bootId),
    hide: (isKept) => hide(scope, isKept),
    vanish: () => {
      scope.gone = true
      forget(scope)
      visitor.leave()
    },
  }
}

function createDisposal(agent: Agent): Pick<Page, 'dispose' | 'isDisposed'> {
  let isDisposed = false
  return {
    isDisposed: () => isDisposed,
    dispose: () => {
      isDisposed = true
      return Promise.resolve(agent.dispose())
    },
  }
}

/** Ids of the world, and those under which this page opened the log. */
function createNaming(world: World) {
  const boots = new Set<string>()
  const newId = (prefix: string): string => {
    const id = world.newId(prefix)
    if (prefix === 'boot') boots.add(id)
    return id
  }
  return { newId, boots }
}

// The platform's own digest takes real time, so the simulation uses the portable one.
async function sha256(text: string): Promise<string> {
  return portableSha256(text)
}

/** The rules, for as long as the page is open. */
function heardBy(watcher: Watcher, scope: Scope): PagePorts['rules'] {
  return (note) => {
    if (!scope.gone) note(watcher.world)
  }
}

/** Publishes when the snapshot is read, and not before. */
function createPublishing(): PublishSchedule & { readonly publish: () => void } {
  const waiting = new Set<() => void>()
  return {
    soon: (callback) => void waiting.add(callback),
    nextFrame: (callback) => {
      waiting.add(callback)
      return () => void waiting.delete(callback)
    },
    publish: () => {
      const callbacks = [...waiting]
      waiting.clear()
      for (const callback of callbacks) callback()
    },
  }
}

/** The first event, which is written before a listener can be added. */
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
