import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { quiet } from '../runtime/environment.fixtures.ts'
import { memoryStorage } from '../storage/memory.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { watchedAgent } from './agent.fixtures.ts'

const code = './call-part.ts'

test('[I34] an answer whose validator does not load is refused, not lost: the same one counts later', async () => {
  const pick = defineTool({
    name: 'pick',
    description: 'Has the user pick a date.',
    place: 'client',
    inputSchema: z.object({}),
  })
  const shared = { storage: memoryStorage(), sessionId: 'session_1', tools: inClient([pick]) }
  const before = watchedAgent({ ...shared, model: scriptedModel([call('pick')]) })
  await before.agent.prompt('Book it.')
  before.agent.dispose()
  await before.agent.stored()
  // A page in which no call has run yet.
  vi.resetModules()
  const page = await import('./agent.fixtures.ts')
  vi.doMock(code, () => Promise.reject(new TypeError('Failed to fetch')))
  onTestFinished(() => void vi.doUnmock(code))
  const model = scriptedModel([say('Booked.')])
  const { agent, events } = page.watchedAgent({ ...shared, model }, before.environment)
  await agent.ready
  await quiet()
  const written = events.length

  await expect(agent.addToolResult('call_1', 'Monday')).rejects.toMatchObject({
    name: 'AgentUsageError',
    code: 'not_loaded',
    message:
      'Nothing was done: a part of the app could not be loaded; if it stays so, reload the page.',
  })
  expect(events).toHaveLength(written)

  vi.doUnmock(code)
  await agent.addToolResult('call_1', 'Monday')
  await expect.poll(() => model.requests).toHaveLength(1)
  expect(page.resultsIn(model.requests[0])).toEqual(['Monday'])
})
