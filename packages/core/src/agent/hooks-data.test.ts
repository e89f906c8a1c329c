/** What hooks get and what they return: copies, and plain data. */
import { expect, test } from 'vitest'
import { createManualEnvironment } from '../runtime/environment.fixtures.ts'
import type { AgentHooks } from '../runtime/hooks.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { pageTools, resultsIn, saidIn, watchedAgent } from './agent.fixtures.ts'

function hooked(hooks: AgentHooks) {
  const environment = createManualEnvironment()
  const model = scriptedModel([call('a', { n: 1 })], [say('Done.')])
  const tools = pageTools(environment, { a: (_, input) => input })
  return { ...watchedAgent({ model, tools, hooks }, environment), model }
}

/** What a hook in plain JavaScript may return. */
const untyped = (value: unknown) => value as never

test('[I17] what a hook does to its copy of the arguments changes nothing', async () => {
  const { agent, model, eventsOf } = hooked({
    beforeToolCall: ({ args }) => void Object.assign(args, { n: 'evil' }),
    afterToolCall: ({ args, result }) =>
      void Object.assign(args, { n: 'evil' }, Object.assign(result, { content: [] })),
  })

  await agent.prompt('Go.')

  expect(resultsIn(model.requests[1])).toEqual(['{"n":1}'])
  expect(eventsOf('tool_prepared')).toMatchObject([{ effectiveArgs: { n: 1 } }])
})

test('[I37] what a hook does to its copy of the messages changes the request only', async () => {
  const { agent, model } = hooked({
    transformContext: (messages) => {
      Object.assign(messages[0]?.content[0] ?? {}, { text: 'Changed.' })
      return messages
    },
  })

  await agent.prompt('Go.')

  expect(saidIn(model.requests[1])).toEqual(['Changed.'])
  expect(agent.getState().messages[0]).toMatchObject({ content: [{ text: 'Go.' }] })
})

test.for([[Number.NaN], [new Date(0)], [new Map([[1, 2]])], [1n]])(
  '[I6] [I17] with arguments that are not JSON a call does not run: %s',
  async ([n]) => {
    const { agent, eventsOf } = hooked({ beforeToolCall: () => ({ args: untyped({ n }) }) })

    await agent.prompt('Go.')

    expect(eventsOf('tool_prepared')).toEqual([])
    expect(eventsOf('tool_execution_end')).toMatchObject([{ outcome: 'denied' }])
    expect(eventsOf('warning')).toMatchObject([{ code: 'hook_failed' }])
  },
)

test.for([[1n], [cycle()]])(
  '[I6] details that cannot be data withhold the result: %s',
  async ([details]) => {
    const { agent, model } = hooked({ afterToolCall: () => ({ details: untyped(details) }) })

    await agent.prompt('Go.')

    expect(resultsIn(model.requests[1])).toEqual(['Result withheld: a hook failed.'])
  },
)

test.for([[''], ['  '], [[]]])(
  '[I28] a prompt that a hook made empty is rejected: %j',
  async ([content]) => {
    const { agent, model } = hooked({ onUserPromptSubmit: () => ({ content: content ?? '' }) })

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'rejected' })
    expect(model.requests).toEqual([])
  },
)

function cycle(): object {
  const self: Record<string, unknown> = {}
  self['self'] = self
  return self
}
