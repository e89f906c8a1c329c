import { describe, expect, test } from 'vitest'
import { isObject } from '../internal/json.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { memoryStorage } from '../storage/memory.ts'
import { call, finish, hold, say, scriptedModel } from '../testing/scripted.ts'
import { pageTools, watchedAgent } from './agent.fixtures.ts'
import { createAgent } from './create-agent.ts'
import type { Agent } from './handle.ts'
import type { AgentOptions } from './options.ts'

const situations: Readonly<Record<string, () => Promise<Agent>>> = {
  'a new agent': async () => madeWith({ model: scriptedModel() }),
  'a run': async () => asked({ model: scriptedModel([hold()]) }),
  'an answer': async () => asked({ model: scriptedModel([say('Well.')], [say('Again.')]) }),
  'half an answer': async () =>
    asked({ model: scriptedModel([say('Half'), finish('max_tokens')], [say('Whole.')]) }),
  'a failed answer': async () =>
    asked({
      retry: null,
      model: scriptedModel(() => {
        throw new Error('Down.')
      }, [say('Better.')]),
    }),
  'a stopped run': async () => {
    const agent = await asked({ model: scriptedModel([hold()], [say('More.')]) })
    agent.abort()
    await quiet()
    return agent
  },
  'a message in a queue': async () => {
    const agent = await asked({ model: scriptedModel([say('One.')], [say('Two.')]) })
    agent.followUp('And?')
    await quiet()
    return agent
  },
  'a call that waits for an approval': async () =>
    asked({
      model: scriptedModel([call('work')], [say('Done.')]),
      tools: pageTools(createManualEnvironment(), { work: () => 'worked' }),
      hooks: { beforeToolCall: () => ({ requireApproval: true }) },
      approvalMode: 'pause',
    }),
  'an empty branch': async () => {
    const agent = await asked({ model: scriptedModel([say('One.')], [say('Two.')]) })
    agent.moveHead(null)
    await quiet()
    return agent
  },
  'an agent that was disposed in a run': async () => {
    const agent = await asked({ model: scriptedModel([hold()]) })
    agent.dispose()
    return agent
  },
  'a storage that failed': async () => {
    const storage = { ...memoryStorage(), read: () => Promise.reject(new Error('Broken.')) }
    const agent = createAgent({ model: scriptedModel(), storage, sessionId: 'session_1' })
    await agent.ready.catch(() => {})
    return agent
  },
}

const commands = [
  ['continue', (agent: Agent) => agent.continue()],
  ['regenerate', (agent: Agent) => agent.regenerate()],
  ['edit', async (agent: Agent) => agent.moveHead(null)],
  [
    'send',
    async (agent: Agent) => (agent.isRunning() ? agent.steer('More.') : agent.followUp('More.')),
  ],
] as const

describe.for(Object.entries(situations))('after %s', ([, reach]) => {
  test.for(commands)('`can` says whether the agent takes `%s`', async ([name, command]) => {
    const agent = await reach()
    const { can } = agent.getState()

    const taken = await isTaken(agent, command)

    expect({ [name]: can[name] }).toEqual({ [name]: taken })
    agent.dispose()
  })

  test('`can` says whether there is something to stop', async () => {
    const agent = await reach()
    expect(agent.getState().can.stop).toBe(agent.isRunning())
    agent.dispose()
  })
})

test('what can be done stays the same object while that is the same', async () => {
  const model = scriptedModel([say('One.'), hold()])
  const { agent, environment } = watchedAgent({ model })
  const done = agent.prompt('Go.')
  await quiet()
  const { can } = agent.getState()
  environment.frame()
  expect(agent.getState().messages.at(-1)?.content).toHaveLength(1)
  expect(agent.getState().can).toBe(can)
  agent.abort()
  await done
  await quiet()
  expect(agent.getState().can).not.toBe(can)
})

// An error of the model or of the storage is no refusal: then the command was taken, and failed.
async function isTaken(agent: Agent, command: (agent: Agent) => Promise<unknown>) {
  let isRefused = false
  const done = command(agent).then(
    (result) => {
      isRefused =
        isObject(result) && isObject(result['error']) && result['error']['kind'] === 'storage'
    },
    () => {
      isRefused = true
    },
  )
  await quiet()
  if (agent.isRunning()) agent.abort()
  await quiet()
  agent.dispose()
  await done
  return !isRefused
}

function madeWith(options: AgentOptions): Agent {
  return watchedAgent(options).agent
}

async function asked(options: AgentOptions): Promise<Agent> {
  const agent = madeWith(options)
  void agent.prompt('Go.')
  await quiet()
  return agent
}
