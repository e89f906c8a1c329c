import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { quiet } from '../runtime/environment.fixtures.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { resultsIn, watchedAgent } from './agent.fixtures.ts'

const results = './stage-result.ts'

test('[I34] an answer whose validator does not load is refused, not lost: the same one counts later', async () => {
  const pick = defineTool({
    name: 'pick',
    description: 'Has the user pick a date.',
    place: 'client',
    inputSchema: z.object({}),
  })
  const model = scriptedModel([call('pick')], [say('Booked.')])
  const { agent, events } = watchedAgent({ model, tools: inClient([pick]) })
  await agent.prompt('Book it.')
  const before = events.length
  vi.doMock(results, () => Promise.reject(new TypeError('Failed to fetch')))
  onTestFinished(() => void vi.doUnmock(results))

  await expect(agent.addToolResult('call_1', 'Monday')).rejects.toMatchObject({
    name: 'AgentUsageError',
    code: 'not_loaded',
    message:
      'Nothing was done: a part of the app could not be loaded. Check the connection and try again, or reload the page.',
  })
  expect(events).toHaveLength(before)

  vi.doUnmock(results)
  await agent.addToolResult('call_1', 'Monday')
  await quiet()
  expect(resultsIn(model.requests[1])).toEqual(['Monday'])
})
