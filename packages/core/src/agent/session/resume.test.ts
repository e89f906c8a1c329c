import { expect, test } from 'vitest'
import { textOf } from '../../kernel/message.ts'
import { type ManualEnvironment, quiet } from '../../runtime/environment.fixtures.ts'
import { memoryStorage } from '../../storage/memory.ts'
import type { SessionStorage } from '../../storage/port.ts'
import { call, hold, say, scriptedModel } from '../../testing/scripted.ts'
import type { Tool } from '../../tools/definition.ts'
import type { ToolContext } from '../../tools/worker/context.ts'
import type { CallFate } from '../../tools/worker/implement.ts'
import { pageTools } from '../agent.fixtures.ts'
import { sessionId, tabs } from './tabs.fixtures.ts'

interface Ledger {
  /** The call and the attempt of each time that the code ran. */
  readonly ran: string[]
  readonly asked: string[]
}

const policies = {
  error: {},
  rerun: { onInterrupt: 'rerun', idempotent: true },
  check: { onInterrupt: 'check' },
} as const

test('[D45] a call that was cut off does not run again by default, also when the run is continued', async () => {
  const { ledger, open } = await cutOff('error')
  const { agent } = open(scriptedModel([say('Let me look.')]))
  await agent.ready

  expect(agent.getState()).toMatchObject({ status: 'ready', lastReason: 'interrupted' })
  expect(cardOf(agent)).toMatchObject({ status: 'interrupted', hasEnded: true, mayHaveRun: true })
  expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'Let me look.' })
  expect(ledger.ran).toEqual(['call_1 1'])
})

test('[D46] with rerun it waits, and runs again under the same id when a person continues', async () => {
  const { ledger, open } = await cutOff('rerun')
  const { agent } = open(scriptedModel([say('Done.')]))
  await agent.ready

  expect(agent.getState()).toMatchObject({ status: 'ready', lastReason: 'interrupted' })
  expect(cardOf(agent)).toMatchObject({ status: 'interrupted', hasEnded: false, attempt: 1 })
  expect(ledger.ran).toEqual(['call_1 1'])

  expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'Done.' })
  expect(cardOf(agent)).toMatchObject({ status: 'succeeded', hasEnded: true, attempt: 2 })
  expect(ledger.ran).toEqual(['call_1 1', 'call_1 2'])
})

test.for<[string, CallFate<Tool>, readonly string[], object]>([
  ['was done', { status: 'done', result: 'found' }, [], { status: 'succeeded' }],
  ['was not done', { status: 'not_done' }, ['call_1 2'], { status: 'succeeded' }],
  ['is not known', { status: 'unknown' }, [], { status: 'interrupted', mayHaveRun: true }],
])('[D48] with check it is asked first: it %s', async ([, fate, again, card]) => {
  const { ledger, open } = await cutOff('check', () => fate)
  const { agent } = open(scriptedModel([say('Done.')]))

  await agent.ready
  expect(ledger.asked).toEqual([])
  await agent.continue()

  expect(ledger.asked).toEqual(['call_1 2'])
  expect(ledger.ran).toEqual(['call_1 1', ...again])
  expect(cardOf(agent)).toMatchObject({ ...card, hasEnded: true })
  if (fate.status === 'done') expect(textOf(cardOf(agent)?.result?.content ?? [])).toBe('found')
})

test('[D48] a check that throws says nothing: the call ends as interrupted, and its log says why', async () => {
  const { ledger, open } = await cutOff('check', () => {
    throw new Error('The server is away.')
  })
  const { agent } = open(scriptedModel([say('Done.')]))

  await agent.continue()

  expect(ledger.ran).toEqual(['call_1 1'])
  expect(cardOf(agent)).toMatchObject({ status: 'interrupted' })
  expect(cardOf(agent)?.logs.lines.map(({ text }) => text)).toEqual([
    'What became of the call before cannot be said: The server is away.',
  ])
})

test('[D50] with resume auto the owner goes on by itself', async () => {
  const { ledger, open } = await cutOff('rerun')
  const { agent } = open(scriptedModel([say('Done.')]), undefined, { resume: 'auto' })

  await agent.ready
  await quiet()

  expect(agent.getState()).toMatchObject({ status: 'ready', lastReason: 'stop' })
  expect(ledger.ran).toEqual(['call_1 1', 'call_1 2'])
})

test('[D50] a follower does not, until it becomes the owner', async () => {
  const { ledger, open } = await cutOff('rerun')
  const owner = open()
  await owner.agent.ready
  const { agent } = open(scriptedModel([say('Done.')]), undefined, { resume: 'auto' })
  await agent.ready
  await quiet()
  expect(agent.getState()).toMatchObject({ access: 'follower', lastReason: 'interrupted' })

  owner.agent.dispose()
  await owner.agent.stored()
  await quiet()

  // What was cut off was settled by the owner before: it has asked.
  expect(agent.getState()).toMatchObject({ access: 'owner', lastReason: 'interrupted' })
  expect(ledger.ran).toEqual(['call_1 1'])
})

test('[D50] after an opening that was not confirmed a person is asked', async () => {
  const { ledger, storage, open } = await cutOff('rerun')
  const died = await storage.claim(sessionId, 'if-free')
  died?.release()
  const { agent } = open(scriptedModel([say('Done.')]), undefined, { resume: 'auto' })

  await agent.ready
  await quiet()

  expect(agent.getState()).toMatchObject({ lastReason: 'interrupted' })
  expect(ledger.ran).toEqual(['call_1 1'])
})

test('[D50] a run that was continued and came no further waits for a person', async () => {
  const { open, end } = await cutOff('rerun')
  const model = scriptedModel([hold()])
  const second = open(model, undefined, { resume: 'auto' })
  await second.agent.ready
  await quiet()
  expect(model.requests).toHaveLength(1)
  await end(second.agent)

  const third = scriptedModel([say('Done.')])
  const { agent } = open(third, undefined, { resume: 'auto' })
  await agent.ready
  await quiet()

  expect(agent.getState()).toMatchObject({ lastReason: 'interrupted' })
  expect(third.requests).toEqual([])
})

test('[D49] steering and follow-ups outlive the page, and are delivered when the run is continued', async () => {
  const { open } = await cutOff('rerun', undefined, (agent) => {
    agent.steer('And this.')
    agent.followUp('And then.')
  })
  const model = scriptedModel([say('This.')], [say('Then.')])
  const { agent } = open(model)

  await agent.ready
  expect(agent.getState().queues).toMatchObject({
    steering: [[{ text: 'And this.' }]],
    followUp: [[{ text: 'And then.' }]],
  })
  await agent.continue()

  const words = agent
    .getState()
    .messages.flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : []))
  expect(words).toEqual(['Go.', 'And this.', 'And then.'])
})

type Agent = ReturnType<ReturnType<typeof tabs>['open']>['agent']

/** A session whose page went away while the code of its one call was running. */
async function cutOff(
  policy: keyof typeof policies,
  check: () => CallFate<Tool> = () => ({ status: 'unknown' }),
  before: (agent: Agent) => void = () => {},
) {
  const ledger: Ledger = { ran: [], asked: [] }
  const storage: SessionStorage = memoryStorage()
  const options = (environment: ManualEnvironment) => ({
    tools: pageTools(
      environment,
      {
        work: ({ toolCallId, attempt }: ToolContext) => {
          ledger.ran.push(`${toolCallId} ${attempt}`)
          return attempt === 1 ? new Promise(() => {}) : 'done'
        },
      },
      {
        ...policies[policy],
        check: (_input, { toolCallId, attempt }) => {
          ledger.asked.push(`${toolCallId} ${attempt}`)
          return check()
        },
      },
    ),
  })
  const { open } = tabs(options, storage)
  const first = open(scriptedModel([call('work')]))
  await first.agent.ready
  void first.agent.prompt('Go.')
  await quiet()
  before(first.agent)
  await end(first.agent)
  return { ledger, storage, open, end }
}

async function end(agent: Agent): Promise<void> {
  agent.dispose()
  await agent.stored()
}

function cardOf(agent: Agent) {
  return agent.getState().toolCalls.get('call_1')
}
