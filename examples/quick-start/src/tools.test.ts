import {
  call,
  fakeClock,
  fakeWorkers,
  say,
  scriptedModel,
  testAgent,
} from '@offthread/core/testing'
import { expect, test } from 'vitest'
import { countPrimes } from './tools.ts'

test('answers from what the tool found', async () => {
  const clock = fakeClock()
  const workers = fakeWorkers([countPrimes], { clock })
  const model = scriptedModel([call('count_primes', { n: 10 })], [say('There are 4.')])
  const { agent, settled } = testAgent({ model, tools: workers }, { clock })

  const done = agent.prompt('How many primes are below 10?')
  await settled()
  await workers.worker('count_primes').returns({ count: 4 })

  expect(await done).toMatchObject({ reason: 'stop', text: 'There are 4.' })
})

test('continues when the tool takes too long', async () => {
  const clock = fakeClock()
  const workers = fakeWorkers([countPrimes], { clock })
  const model = scriptedModel([call('count_primes', { n: 10 })], [say('It took too long.')])
  const { agent, eventsOf, passTime } = testAgent({ model, tools: workers }, { clock })

  const done = passTime(agent.prompt('How many primes are below 10?'), 1000)

  expect(await done).toMatchObject({ text: 'It took too long.' })
  expect(eventsOf('tool_execution_end')).toMatchObject([{ outcome: 'timed_out' }])
})
