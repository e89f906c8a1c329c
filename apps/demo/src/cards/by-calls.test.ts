import { call, say, scriptedModel, testAgent } from '@offthread/core/testing'
import { expect, test } from 'vitest'
import { byCalls } from './by-calls.ts'

test('the calls are looked at when one has changed, not for each word of an answer', async () => {
  const model = scriptedModel([call('missing')], [say('One two three four five six seven.')])
  const { agent } = testAgent({ model })
  let looks = 0
  const select = byCalls(({ active }) => {
    looks += 1
    return active.length
  })
  const seen: string[] = []
  agent.store.subscribe((state) => {
    const before = looks
    select(state)
    if (state.messages.length === 3) seen.push(looks > before ? 'looks' : 'knows')
  })

  await agent.prompt('Go.')

  expect(looks).toBeGreaterThan(1)
  expect(seen.length).toBeGreaterThan(3)
  expect(seen.slice(1)).not.toContain('looks')
})
