import { expect, test } from 'vitest'
import { catchReports, pageTools, watchedAgent } from '../agent/agent.fixtures.ts'
import { createDeferred } from '../internal/deferred.ts'
import type { ModelChunk } from '../model/port.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { call, hold, say, scriptedModel } from '../testing/scripted.ts'
import type { AgentState } from './agent-state.ts'

test('deltas are published once per frame, however many there are', async () => {
  const { agent, environment, say: write } = speaking()
  const done = agent.prompt('Go.')
  write('text_start')
  await quiet()
  const seen = texts(agent)

  for (const word of ['a', 'b', 'c']) write(word)
  await quiet()
  expect(seen).toEqual([])
  expect(environment.pendingFrames()).toBe(1)
  environment.frame()
  expect(seen).toEqual(['abc'])
  for (const word of ['d', 'e']) write(word)
  await quiet()
  environment.frame()

  expect(seen).toEqual(['abc', 'abcde'])
  agent.abort()
  await done
})

test('a durable fact does not wait for a frame, takes the deltas before it along, and cancels the frame', async () => {
  const { agent, environment, say: write } = speaking()
  const done = agent.prompt('Go.')
  write('text_start')
  write('last words')
  await quiet()
  expect(environment.pendingFrames()).toBe(1)

  agent.abort()
  await done
  await quiet()

  expect(agent.getState()).toMatchObject({ status: 'ready', lastReason: 'aborted' })
  expect(agent.getState().messages.at(-1)).toMatchObject({ content: [{ text: 'last words' }] })
  expect(environment.pendingFrames()).toBe(0)
})

test('the facts of one step are published together', async () => {
  const { agent } = watchedAgent({ model: scriptedModel([hold()]) })
  const seen: string[] = []
  agent.store.subscribe(() => seen.push(agent.getState().status))

  const done = agent.prompt('Go.')
  expect(agent.getState().status).toBe('ready')
  await quiet()
  expect(seen).toEqual(['submitted'])
  agent.abort()
  await done
  await quiet()

  expect(seen).toEqual(['submitted', 'ready'])
})

test('between two publications all readers get the same snapshot', async () => {
  const { agent, say: write } = speaking()
  const done = agent.prompt('Go.')
  write('text_start')
  await quiet()
  const before = agent.getState()

  write('more')
  await quiet()

  expect(agent.getState()).toBe(before)
  agent.abort()
  await done
})

test('[I25] a finished run leaves no frame and no timer behind', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { work: ({ onProgress }) => onProgress('halfway') })
  const { agent } = watchedAgent(
    { model: scriptedModel([say('Well.'), call('work')], [say('Done.')]), tools },
    environment,
  )

  await agent.prompt('Go.')
  await quiet()

  expect(environment.pendingFrames()).toBe(0)
  expect(environment.clock.pending()).toBe(0)
  expect(agent.getState().status).toBe('ready')
})

test('[I30] a subscriber that throws hides nothing from the others', async () => {
  const reports = catchReports()
  const { agent } = watchedAgent({ model: scriptedModel([say('Hi.')]) })
  const seen: string[] = []
  agent.store.subscribe(() => {
    throw new Error('bad subscriber')
  })
  agent.store.subscribe(() => seen.push(agent.getState().status))

  await agent.prompt('Go.')
  await quiet()

  expect(seen.at(-1)).toBe('ready')
  expect(reports).toContainEqual(expect.objectContaining({ message: 'bad subscriber' }))
})

test('a subscriber may call the agent, and may leave', async () => {
  const { agent } = watchedAgent({ model: scriptedModel([say('So far'), hold()]) })
  const seen: string[] = []
  const leave = agent.store.subscribe(() => {
    seen.push(agent.getState().status)
    if (agent.getState().status === 'submitted') agent.abort()
    leave()
  })

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'aborted' })
  await quiet()

  expect(seen).toEqual(['submitted'])
})

test('[I25] dispose in a run publishes one last snapshot, in which nothing is active', async () => {
  const { agent, environment, say: write } = speaking()
  const done = agent.prompt('Go.')
  write('text_start')
  write('more')
  await quiet()
  const seen = texts(agent)

  agent.dispose()
  agent.dispose()
  environment.frame()
  await quiet()

  expect(seen).toEqual(['more'])
  expect(agent.getState()).toMatchObject(atRest)
  expect(await done).toMatchObject({ reason: 'interrupted' })
  expect(environment.pendingFrames()).toBe(0)
})

test('dispose while a call waits for approval leaves no call active', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { a: () => 'done' }, { needsApproval: true })
  const { agent } = watchedAgent({ model: scriptedModel([call('a')]), tools }, environment)
  void agent.prompt('Go.')
  await quiet()
  expect(agent.getState()).toMatchObject({ status: 'awaiting_approval', isActive: true })

  agent.dispose()

  expect(agent.getState()).toMatchObject({ ...atRest, toolCalls: { active: [] } })
})

test('dispose without a run publishes what was not published yet, and else nothing', async () => {
  const { agent } = watchedAgent({ model: scriptedModel([say('Hi.')]) })
  await agent.prompt('Go.')
  await quiet()
  const before = agent.getState()

  agent.dispose()

  expect(agent.getState()).toBe(before)
  expect(before).toMatchObject({ status: 'ready', lastReason: 'stop' })
})

const atRest = {
  status: 'ready',
  isActive: false,
  startedAt: null,
  retry: null,
  lastReason: 'interrupted',
}

/** An agent whose model streams a word whenever the test says so. */
function speaking() {
  const words: ModelChunk[] = []
  let more = createDeferred<void>()
  const watched = watchedAgent({
    model: {
      identity: { provider: 'test', id: 'test' },
      stream: async function* () {
        for (;;) {
          for (let word = words.shift(); word; word = words.shift()) yield word
          await more.promise
        }
      },
    },
  })
  return {
    ...watched,
    say: (word: string) => {
      words.push(
        word === 'text_start'
          ? { type: 'text_start', contentIndex: 0 }
          : { type: 'text_delta', contentIndex: 0, delta: word },
      )
      more.resolve()
      more = createDeferred()
    },
  }
}

function texts(agent: {
  store: { subscribe: (one: () => void) => unknown }
  getState: () => AgentState
}) {
  const seen: string[] = []
  agent.store.subscribe(() => {
    const [part] = agent.getState().messages.at(-1)?.content ?? []
    seen.push(part?.type === 'text' ? part.text : '')
  })
  return seen
}
