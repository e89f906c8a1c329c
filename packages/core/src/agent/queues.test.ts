import { expect, test } from 'vitest'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { call, fail, hold, say, scriptedModel } from '../testing/scripted.ts'
import { pageTools, saidIn, watchedAgent } from './agent.fixtures.ts'

test('[I26] [S000-9] [S004-3] a message may be said in every form, and no other role is taken for a user', async () => {
  const model = scriptedModel([say('Hi.')], [say('Well.')], [say('So.')])
  const { agent } = watchedAgent({ model })
  const message = { role: 'user', content: [{ type: 'text', text: 'Two.' }] } as const
  // With the fields that the messages of other loops have.
  const stamped = { ...message, content: 'Three.', timestamp: 1_700_000_000_000, id: 'theirs' }

  const done = agent.prompt({ role: 'user', content: 'One.' })
  agent.steer(message)
  agent.followUp(stamped)
  await done

  expect(saidIn(model.requests.at(-1))).toEqual(['One.', 'Two.', 'Three.'])
  expect(agent.getState().messages.flatMap((said) => Object.keys(said))).not.toContain('timestamp')
  const foreign = Object.assign({ ...message }, { role: 'assistant' })
  expect(() => agent.steer(foreign)).toThrow(TypeError)
})

test('[I26] [S003-11] [Q2] steering is delivered first, then the follow-ups, each in its order', async () => {
  const environment = createManualEnvironment()
  const host = fakeWorkers([workerTool('a')], { clock: environment.clock })
  const model = scriptedModel([call('a')], [say('1')], [say('2')], [say('3')], [say('4')])
  const { agent, eventsOf } = watchedAgent({ model, tools: host }, environment)
  const done = agent.prompt('Go.')
  await quiet()
  agent.followUp('F1')
  agent.steer('S1')
  agent.followUp('F2')
  agent.steer('S2')
  await quiet()
  expect(agent.getState().queues).toEqual({
    steering: [[{ type: 'text', text: 'S1' }], [{ type: 'text', text: 'S2' }]],
    followUp: [[{ type: 'text', text: 'F1' }], [{ type: 'text', text: 'F2' }]],
  })

  host.worker('a').answer('a')
  const { reason, text } = await done

  expect([reason, text]).toEqual(['stop', '4'])
  expect(model.requests.map((request) => saidIn(request).slice(1))).toEqual([
    [],
    ['S1'],
    ['S1', 'S2'],
    ['S1', 'S2', 'F1'],
    ['S1', 'S2', 'F1', 'F2'],
  ])
  const sources = eventsOf('message_end').flatMap(({ message }) =>
    message.role === 'user' ? [message.source] : [],
  )
  expect(sources).toEqual(['prompt', 'steering', 'steering', 'follow_up', 'follow_up'])
  expect(eventsOf('queue_update').at(-1)).toMatchObject({ steering: [], followUp: [] })
  expect(agent.getState().queues).toEqual({ steering: [], followUp: [] })
})

test.for(['steeringMode', 'followUpMode'] as const)(
  '[I26] %s all: everything in the queue is delivered at once',
  async (mode) => {
    const model = scriptedModel([say('So'), say(' far.')], [say('Yes.')])
    const { agent } = watchedAgent({ model, [mode]: 'all' })
    const done = agent.prompt('Go.')
    const put = mode === 'steeringMode' ? agent.steer : agent.followUp
    put('One.')
    put('Two.')

    expect(await done).toMatchObject({ reason: 'stop', text: 'Yes.' })

    expect(saidIn(model.requests[1])).toEqual(['Go.', 'One.', 'Two.'])
    expect(model.requests).toHaveLength(2)
  },
)

test('[I23] steering that comes during the last answer is answered in the same run', async () => {
  const model = scriptedModel([say('Fine.')], [say('Sure.')])
  const { agent, eventsOf } = watchedAgent({ model })
  let hasSpoken = false
  agent.subscribe((event) => {
    if (event.type !== 'message_update' || hasSpoken) return
    hasSpoken = true
    agent.steer('Also this.')
  })

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop', text: 'Sure.' })

  expect(eventsOf('agent_start')).toHaveLength(1)
  expect(saidIn(model.requests[1])).toEqual(['Go.', 'Also this.'])
})

test('[I26] clearQueues removes what was not delivered', async () => {
  const model = scriptedModel([say('Done.')])
  const { agent } = watchedAgent({ model })
  const done = agent.prompt('Go.')
  agent.steer('Not this.')
  agent.followUp('Nor that.')

  agent.clearQueues()

  expect(await done).toMatchObject({ reason: 'stop', text: 'Done.' })
  expect(agent.getState().queues).toEqual({ steering: [], followUp: [] })
  expect(model.requests).toHaveLength(1)
})

test('[I26] what is queued at rest waits, and continue() delivers it', async () => {
  const model = scriptedModel([say('Here.')], [say('Later.')])
  const { agent, eventsOf } = watchedAgent({ model })

  agent.steer('Are you there?')
  agent.followUp('And then?')
  await quiet()
  expect(model.requests).toHaveLength(0)

  expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'Later.' })
  expect(eventsOf('agent_start')).toMatchObject([{ trigger: 'continue' }])
  expect(saidIn(model.requests[1])).toEqual(['Are you there?', 'And then?'])
})

const endings = {
  'an abort': async () => {
    const model = scriptedModel([say('So'), hold()], [say('A')], [say('B')])
    const watched = watchedAgent({ model })
    const done = watched.agent.prompt('Go.')
    await quiet()
    watched.agent.steer('S')
    watched.agent.followUp('F')
    watched.agent.abort()
    return { ...watched, model, ended: await done }
  },
  'a failure': async () => {
    const model = scriptedModel([fail('auth')], [say('A')], [say('B')])
    const watched = watchedAgent({ model })
    const done = watched.agent.prompt('Go.')
    watched.agent.steer('S')
    watched.agent.followUp('F')
    return { ...watched, model, ended: await done }
  },
  max_turns: async () => {
    const environment = createManualEnvironment()
    const model = scriptedModel([call('a')], [say('A')], [say('B')])
    const watched = watchedAgent(
      { model, tools: pageTools(environment, { a: () => 'a' }), maxTurns: 1 },
      environment,
    )
    const done = watched.agent.prompt('Go.')
    watched.agent.steer('S')
    watched.agent.followUp('F')
    return { ...watched, model, ended: await done }
  },
}

test.for(Object.entries(endings))(
  '[I26] what is queued survives %s, and continue() delivers it',
  async ([, begin]) => {
    const { agent, model, ended } = await begin()
    expect(['aborted', 'error', 'max_turns']).toContain(ended.reason)
    expect(agent.getState().queues).toMatchObject({
      steering: [[{ text: 'S' }]],
      followUp: [[{ text: 'F' }]],
    })

    expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'B' })

    expect(saidIn(model.requests.at(-1))).toEqual(['Go.', 'S', 'F'])
    expect(agent.getState().queues).toEqual({ steering: [], followUp: [] })
  },
)

test.for(Object.entries(endings))(
  '[I26] what is queued survives %s, and is delivered after the text of the next prompt',
  async ([, begin]) => {
    const { agent, model } = await begin()

    expect(await agent.prompt('Next.')).toMatchObject({ reason: 'stop', text: 'B' })

    expect(saidIn(model.requests.at(-2))).toEqual(['Go.', 'Next.', 'S'])
    expect(saidIn(model.requests.at(-1))).toEqual(['Go.', 'Next.', 'S', 'F'])
  },
)

test('[I22] a follow-up starts the count of turns again', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { a: () => 'a' })
  const model = scriptedModel([call('a')], [say('1')], [call('a')], [say('2')])
  const { agent, eventsOf } = watchedAgent({ model, tools, maxTurns: 2 }, environment)
  const done = agent.prompt('Go.')
  agent.followUp('More.')

  expect(await done).toMatchObject({ reason: 'stop', text: '2' })

  expect(eventsOf('agent_end')).toMatchObject([{ turns: 4, maxTurnsReached: false }])
})

test('[I22] [I26] steering does not: at the limit it is not answered, and stays in its queue', async () => {
  const model = scriptedModel([say('1')], [say('2')])
  const { agent, eventsOf } = watchedAgent({ model, maxTurns: 1 })
  let hasSpoken = false
  agent.subscribe((event) => {
    if (event.type !== 'message_update' || hasSpoken) return
    hasSpoken = true
    agent.steer('More.')
  })

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'max_turns', text: '1' })

  expect(eventsOf('agent_end')).toMatchObject([{ turns: 1, maxTurnsReached: true }])
  expect(agent.getState().queues).toMatchObject({ steering: [[{ text: 'More.' }]] })
  expect(model.requests).toHaveLength(1)
})

test('[I27] [S004-9] the prompt hook sees the prompt, and nothing that was queued', async () => {
  const seen: unknown[] = []
  const model = scriptedModel([say('1')], [say('2')], [say('3')])
  const { agent } = watchedAgent({
    model,
    hooks: { onUserPromptSubmit: ({ content }) => void seen.push(content) },
  })
  const done = agent.prompt('Go.')
  agent.steer('S')
  agent.followUp('F')
  await done

  expect(seen).toEqual([[{ type: 'text', text: 'Go.' }]])
  expect(saidIn(model.requests.at(-1))).toEqual(['Go.', 'S', 'F'])
})

test('[Q3] one message is taken back, or said sooner, and the others keep their order', async () => {
  const environment = createManualEnvironment()
  const host = fakeWorkers([workerTool('a')], { clock: environment.clock })
  const model = scriptedModel([call('a')], [say('1')], [say('2')], [say('3')])
  const { agent, eventsOf } = watchedAgent({ model, tools: host }, environment)
  const done = agent.prompt('Go.')
  await quiet()
  for (const text of ['F1', 'F2', 'F3', 'F2', 'F4']) agent.followUp(text)
  agent.takeQueued({ queue: 'followUp', index: 4, content: textOf('F4'), to: 'steering' })
  agent.takeQueued({ queue: 'followUp', index: 0, content: textOf('F1') })
  // Of equal ones the one in that place; F1 had stood before it.
  agent.takeQueued({ queue: 'followUp', index: 3, content: textOf('F2') })
  const updates = eventsOf('queue_update').length
  agent.takeQueued({ queue: 'followUp', index: 9, content: textOf('F1') })
  // It would be another one: places only become smaller.
  agent.takeQueued({ queue: 'followUp', index: 0, content: textOf('F3') })
  agent.takeQueued({ queue: 'steering', index: 0, content: textOf('F2') })
  expect(eventsOf('queue_update')).toHaveLength(updates)
  host.worker('a').answer('a')
  await done

  expect(saidIn(model.requests.at(-1))).toEqual(['Go.', 'F4', 'F2', 'F3'])
})

function textOf(text: string) {
  return [{ type: 'text', text }] as const
}
