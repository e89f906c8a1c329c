import { expect, test } from 'vitest'
import { settleDown } from '../fixtures/calls.fixtures.ts'
import { rehearse } from './rehearse.ts'
import { serveOn } from './serve.ts'

test('plays one call from its start to its end', async () => {
  const posted: unknown[] = []

  rehearse((scope, implementations, parts) => {
    const postMessage = (message: unknown) => void posted.push(message)
    serveOn({ ...scope, postMessage }, implementations, parts)
  })
  await settleDown()

  expect(posted).toMatchObject([
    { type: 'ready' },
    { type: 'running' },
    {
      type: 'settled',
      settlement: { kind: 'returned', result: { structuredContent: { done: true } } },
    },
  ])
})
