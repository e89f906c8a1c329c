import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { bareEvent } from '../../kernel/bare-event.ts'
import type { DurableEvent } from '../../kernel/events.ts'
import { fold } from '../../kernel/fold.ts'
import { emptyState, type State } from '../../kernel/state.ts'
import { itemsOf } from '../../kernel/state-items.ts'
import { problemOf } from '../../kernel/transcript.ts'
import { createManualEnvironment, quiet } from '../../runtime/environment.fixtures.ts'
import { readLog } from '../../runtime/read-log.ts'
import type { SessionStorage } from '../../storage/port.ts'
import { call, fail, say, scriptedModel, think } from '../../testing/scripted.ts'
import { defineTool } from '../../tools/definition.ts'
import { inClient } from '../../tools/page/client-host.ts'
import { toolResult } from '../../tools/result/tool-result.ts'
import { pageTools, type Watched, watchedAgent } from '../agent.fixtures.ts'
import { agentTool } from '../agent-tool.ts'
import type { Agent } from '../handle.ts'
import type { AgentOptions } from '../options.ts'

const sessionId = 'session_1'
/** What has to go, wherever it is. */
const secret = 'hunter2'
const snapshotKey = 'offthread:state'

interface Kept {
  readonly storage: SessionStorage
  /** All that is stored, of whatever session, as text. */
  readonly dump: () => Promise<string>
}

/** What becomes of a session from which a message is redacted, in whatever storage. */
export function describeRedactedSessions(name: string, create: () => Kept | Promise<Kept>): void {
  describe(`${name}, a redacted message`, () => {
    test.for(secretful)('[D31] leaves nothing of it anywhere: %s', async ([, play]) => {
      const { storage, dump } = await create()
      const watched = await play(storage)
      const { agent } = watched
      await storage.writeBytes(sessionId, snapshotKey, new Blob([secret]))
      await quiet()
      expect(await dump()).toContain(secret)
      const before = await storage.read(sessionId)
      const target = targetOf(before)

      await agent.redact(target)

      expect(await dump()).not.toContain(secret)
      expect(shownBy(agent)).not.toContain(secret)
      expect(JSON.stringify(await eventsOf(agent))).not.toContain(secret)
      expect(await filesOf(agent, before)).not.toContain(secret)
      const other = await reopened(storage, watched)
      expect(shownBy(other.agent)).toEqual(shownBy(agent))
    })

    test.for(secretful)('[D31] [D33] keeps the shape of its session: %s', async ([, play]) => {
      const { storage } = await create()
      const { agent } = await play(storage)
      const before = await storage.read(sessionId)
      const target = targetOf(before)

      await agent.redact(target)

      const after = await storage.read(sessionId)
      const [redacted] = after.slice(before.length)
      expect(redacted).toMatchObject({ type: 'message_redacted', messageId: target, by: 'user' })
      expect(after.slice(0, before.length).map(bareEvent)).toEqual(before.map(bareEvent))
      expect(readLog(emptyState(sessionId), after).problem).toBeNull()
      expect(shapeOf(after.slice(0, before.length))).toEqual(shapeOf(before))
      expect(problemOf(agent.getTranscript())).toBeNull()
    })

    test.for(secretful)('[D33] is read by the model as a plain text: %s', async ([, play]) => {
      const { storage } = await create()
      const { agent } = await play(storage)
      const target = targetOf(await storage.read(sessionId))
      const isRead = agent.getTranscript().some(({ id }) => id === target)
      await agent.redact(target)
      const model = scriptedModel([say('Yes.')])
      agent.configure({ model, compaction: null, hooks: [] })

      const result = await agent.prompt('Are you there?')

      expect(result).toMatchObject({ reason: 'stop', text: 'Yes.' })
      const sent = JSON.stringify(model.requests)
      expect(sent.includes('[redacted]')).toBe(isRead)
      expect(sent).not.toContain(secret)
    })
  })
}

type Played = (storage: SessionStorage) => Promise<Watched>

/** Sessions that end at rest, and of which one message holds the secret in every place that it can have. */
const secretful: readonly (readonly [name: string, play: Played])[] = [
  ['a prompt', (storage) => playPrompt(storage)],
  ['a prompt that a hook has rewritten', (storage) => playPrompt(storage, { rewrites: true })],
  ['a steering message', (storage) => playQueued(storage, 'steer')],
  ['a follow-up', (storage) => playQueued(storage, 'followUp')],
  ['a prompt that a hook has refused', (storage) => playRefused(storage, () => refusal)],
  ['a prompt that a hook has failed at', (storage) => playRefused(storage, () => fails())],
  ['a follow-up that was said sooner, after another one was taken back', playTaken],
  ['an answer with calls of all kinds', playCalls],
  ['an answer that failed', playFailure],
  ['an answer that was refused in the end', playLastFailure],
  ['a message that a summary quotes', playSummary],
]

async function playPrompt(
  storage: SessionStorage,
  { rewrites = false }: { readonly rewrites?: boolean } = {},
): Promise<Watched> {
  const prompt = [
    { type: 'text', text: `It is ${secret}.` },
    { type: 'image', mediaType: 'image/png', data: btoa(secret) },
    { type: 'document', mediaType: 'text/plain', data: secret, name: `${secret}.txt` },
  ] as const
  const hooks = { onUserPromptSubmit: () => ({ content: `Of ${secret}.` }) }
  const watched = opened(storage, {
    model: scriptedModel([say('I see.')]),
    ...(rewrites && { hooks }),
  })
  await watched.agent.prompt(prompt)
  return watched
}

const refusal = { block: true, reason: `No ${secret} here.` } as const

function fails(): never {
  throw new Error(`It was ${secret}.`)
}

async function playRefused(
  storage: SessionStorage,
  onUserPromptSubmit: () => typeof refusal,
): Promise<Watched> {
  const watched = opened(storage, { model: scriptedModel([say('Yes.')]) })
  const { agent } = watched
  await agent.prompt('Are you there?')
  agent.configure({ hooks: { onUserPromptSubmit } })
  expect(await agent.prompt(`It is ${secret}.`)).toMatchObject({ reason: 'rejected' })
  return watched
}

async function playQueued(storage: SessionStorage, how: 'steer' | 'followUp'): Promise<Watched> {
  const watched = opened(storage, {
    model: scriptedModel([say('One.')], [say('Two.')], [say('Three.')], [say('Four.')]),
  })
  const { agent } = watched
  await agent.ready
  for (const text of ['Before.', secret, 'After.']) agent[how](text)
  await agent.prompt('Go.')
  await agent.prompt('On.')
  return watched
}

async function playTaken(storage: SessionStorage): Promise<Watched> {
  const watched = opened(storage, {
    model: scriptedModel([say('One.')], [say('Two.')], [say('Three.')]),
  })
  const { agent } = watched
  await agent.ready
  for (const text of ['Taken.', 'Before.', secret, 'After.']) agent.followUp(text)
  const contentOf = (text: string) => [{ type: 'text', text }] as const
  agent.takeQueued({ queue: 'followUp', index: 0, content: contentOf('Taken.') })
  agent.takeQueued({ queue: 'followUp', index: 1, content: contentOf(secret), to: 'steering' })
  await agent.prompt('Go.')
  return watched
}

async function playCalls(storage: SessionStorage): Promise<Watched> {
  const environment = createManualEnvironment()
  const args = { q: secret }
  const calls = ['work', 'pick', 'research', 'edited', 'denied', 'flaky', 'half', 'withheld']
  const model = scriptedModel(
    [think(secret, secret), say(`Let me see ${secret}.`), ...calls.map((name) => call(name, args))],
    [say('Done.')],
  )
  const watched = opened(
    storage,
    {
      model,
      hooks: {
        afterToolCall: ({ toolName }) => {
          if (toolName === 'withheld') throw new Error(`It was ${secret}.`)
          return undefined
        },
      },
      tools: [
        pageTools(environment, { work, half, withheld: () => secret }),
        pageTools(environment, { edited: () => 'ok', denied: () => 'no' }, { needsApproval: true }),
        pageTools(environment, { flaky }, { idempotent: true, retry: { maxAttempts: 2 } }),
        inClient([pick]),
        researching(environment),
      ],
    },
    environment,
  )
  const { agent } = watched
  void agent.prompt('Go.')
  const areLeft = (count: number) => () => agent.getState().toolCalls.active.length === count
  await until(watched, areLeft(3))
  for (const { toolCallId, toolName, approval } of agent.getState().toolCalls.active) {
    const { argsDigest = '' } = approval ?? {}
    if (toolName === 'edited') {
      agent.respondToApproval(toolCallId, { decision: 'edit', argsDigest, args: { e: secret } })
    } else if (toolName === 'denied') {
      agent.respondToApproval(toolCallId, { decision: 'deny', argsDigest, reason: secret })
    }
  }
  await until(watched, areLeft(1))
  const [waiting] = agent.getState().toolCalls.active
  await agent.addToolResult(waiting?.toolCallId ?? '', { date: secret })
  await until(watched, () => agent.getState().lastReason === 'stop')
  return watched
}

async function playFailure(storage: SessionStorage): Promise<Watched> {
  const environment = createManualEnvironment()
  const failure = fail('overloaded', `No ${secret}.`, { details: { secret } })
  const model = scriptedModel([say(`It is ${secret}`), failure], [say('Better.')])
  const watched = opened(storage, { model }, environment)
  void watched.agent.prompt('Go.')
  await until(watched, () => watched.agent.getState().lastReason === 'stop')
  return watched
}

async function playLastFailure(storage: SessionStorage): Promise<Watched> {
  const model = scriptedModel([say(secret), fail('bad_request', secret, { details: { secret } })])
  const watched = opened(storage, { model })
  await watched.agent.prompt('Go.')
  return watched
}

async function playSummary(storage: SessionStorage): Promise<Watched> {
  const model = scriptedModel([say('Long. '.repeat(200))], [say('Two.')], [say('Three.')])
  const watched = opened(storage, {
    model,
    compaction: {
      thresholdTokens: 100,
      keepTokens: 10,
      summarize: async () => `He said ${secret}.`,
    },
  })
  for (const text of [secret, 'And?', 'Or?']) await watched.agent.prompt(text)
  expect(watched.eventsOf('compaction_end').length).toBeGreaterThan(0)
  return watched
}

const pick = defineTool({
  name: 'pick',
  description: 'Has the user pick a date.',
  place: 'client',
  inputSchema: z.looseObject({}),
  outputSchema: z.object({ date: z.string() }),
})

const work: Parameters<typeof pageTools>[1][string] = ({ custom, log, onUpdate }) => {
  custom('found', { secret }, { durable: true })
  log(secret)
  onUpdate({ content: secret })
  const artifacts = [{ name: secret, mediaType: 'text/plain', data: secret }]
  return toolResult({ output: { secret }, content: secret, details: { secret }, artifacts })
}

const half: Parameters<typeof pageTools>[1][string] = ({ onUpdate }) => {
  onUpdate({ content: secret, details: { secret } })
  throw new Error(`No ${secret}.`)
}

const flaky: Parameters<typeof pageTools>[1][string] = ({ attempt }) => {
  if (attempt === 1) throw new Error(`Not ${secret} yet.`)
  return `${secret} now`
}

/** Agents in two levels, each with a secret of its call. */
function researching(environment: ReturnType<typeof createManualEnvironment>) {
  const look = pageTools(environment, { look: () => secret })
  const deeper = agentTool({
    name: 'deeper',
    description: 'Looks closer.',
    inputSchema: z.looseObject({}),
    prompt: () => `Closer: ${secret}`,
    agent: { model: scriptedModel([call('look', { at: secret })], [say(secret)]), tools: look },
  })
  return agentTool({
    name: 'research',
    description: 'Looks something up.',
    inputSchema: z.looseObject({}),
    prompt: () => `Find out: ${secret}`,
    agent: {
      model: scriptedModel([think(secret), call('deeper', { q: secret })], [say(secret)]),
      tools: deeper,
    },
  })
}

function opened(
  storage: SessionStorage,
  options: Omit<AgentOptions, 'storage' | 'sessionId'>,
  environment = createManualEnvironment(),
): Watched {
  const watched = watchedAgent({ ...options, storage, sessionId }, environment)
  onTestFinished(watched.agent.dispose)
  return watched
}

/** Lets time pass until something is so. */
async function until({ agent, environment }: Watched, isSo: () => boolean): Promise<void> {
  const patience = { timeout: 20_000 }
  await vi.waitFor(async () => {
    await quiet()
    environment.clock.advance(200)
    await quiet()
    expect(isSo()).toBe(true)
  }, patience)
  await agent.stored()
}

/** An agent that opens the session after this one is gone. */
async function reopened(
  storage: SessionStorage,
  { agent, environment }: Watched,
): Promise<Watched> {
  agent.dispose()
  await agent.stored()
  await quiet()
  const other = opened(storage, { model: scriptedModel() }, environment)
  await other.agent.ready
  return other
}

/** The message that holds the secret, or the run whose prompt does and never became one: the first that does. */
function targetOf(log: readonly DurableEvent[]): string {
  const own = log.filter(
    (event) => event.agentId === undefined && JSON.stringify(event).includes(secret),
  )
  const message = own.find((event) => event.type === 'message_end')
  const id = message?.message.id ?? own.find(({ type }) => type === 'agent_start')?.runId
  if (id === undefined || id === null) throw new Error('No message holds the secret.')
  return id
}

/** All that a view may show, as text. */
function shownBy({ getState, getTranscript }: Agent): string {
  const { toolCalls, runs, branches, access: _, storage: __, ...rest } = getState()
  const calls = rest.messages.flatMap(({ content }) =>
    [...content].flatMap((part) =>
      part.type === 'toolCall' ? [toolCalls.get(part.toolCallId)] : [],
    ),
  )
  const ends = rest.messages.map(({ id }) => runs.get(id))
  return JSON.stringify([rest, calls, ends, branches.tips, getTranscript()])
}

async function eventsOf(agent: Agent): Promise<readonly unknown[]> {
  const events: unknown[] = []
  const stop = new AbortController()
  for await (const event of agent.events({ signal: stop.signal })) {
    events.push(event)
    if (event.type === 'session_opened' && event.seq > 0) stop.abort()
  }
  return events
}

/** What the files hold that a log named, as far as the agent still has them. */
async function filesOf(agent: Agent, log: readonly DurableEvent[]): Promise<string> {
  const ids = log.flatMap((event) =>
    event.type === 'tool_execution_end' ? (event.result.artifacts ?? []) : [],
  )
  const files = ids.map(async ({ artifactId }) => (await agent.getArtifact(artifactId))?.text())
  return JSON.stringify(await Promise.all(files))
}

/** What a log says, without what was said: lengths, counts of equal calls and summaries follow from that. */
function shapeOf(log: readonly DurableEvent[]): unknown {
  const state = log.map(bareEvent).reduce(fold, emptyState(sessionId))
  const shown = [...itemsOf(log.reduce(fold, emptyState(sessionId)))].map((item) =>
    item.kind === 'message' ? idsOf(item.node) : item.kind,
  )
  return { bare: [...itemsOf(state)], shown }
}

function idsOf({
  message,
  calls,
  depth,
  seq,
  excluded,
}: Omit<NonNullable<State['head']>, 'parent'>) {
  const { id, parentId, role } = message
  const stages = calls.map(({ toolCallId, toolName, stage }) => [toolCallId, toolName, stage.kind])
  return { id, parentId, role, depth, seq, excluded, stages }
}
