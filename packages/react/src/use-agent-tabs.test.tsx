import { createAgent, memoryStorage } from '@offthread/core'
import { call, hold, say, scriptedModel } from '@offthread/core/testing'
import { cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { useAgent } from './use-agent.ts'
import { useToolCall } from './use-tool-call.ts'

afterEach(cleanup)

test('[D3] [D4] [D6] is the same for owner and follower, and takeOver() changes which is which', async () => {
  const storage = memoryStorage()
  const open = async () => {
    const model = scriptedModel(
      [call('lookup', { id: 1 })],
      [say('Found.')],
      [say('Here.'), hold()],
    )
    const agent = createAgent({ model, storage, sessionId: 's' })
    onTestFinished(agent.dispose)
    await agent.ready
    return { agent, ...renderHook(() => useAgent(agent)) }
  }
  const [first, second] = [await open(), await open()]
  expect(second.result.current.access).toBe('follower')
  const { takeOver } = second.result.current

  const result = await second.result.current.sendMessage('Look it up.')
  expect(result).toMatchObject({ reason: 'stop', text: 'Found.' })
  await waitFor(() => expect(second.result.current.messages).toHaveLength(3))
  expect(second.result.current.messages).toEqual(first.result.current.messages)
  const { result: card } = renderHook(() => useToolCall(second.agent, idOf(second.agent)))
  expect(card.current).toMatchObject({ toolName: 'lookup', status: 'failed' })

  await takeOver()
  await waitFor(() => expect(first.result.current.access).toBe('follower'))
  expect(second.result.current).toMatchObject({ access: 'owner', takeOver })
  await first.result.current.takeOver()
  await waitFor(() => expect(second.result.current.access).toBe('follower'))
  expect(first.result.current.access).toBe('owner')
})

test('[D7] a session that is only shown is taken over', async () => {
  const storage = memoryStorage()
  const before = createAgent({ model: scriptedModel([say('Hello.')]), storage, sessionId: 's' })
  await before.prompt('Hi.')
  before.dispose()
  await before.stored()
  // Two pages that end while they open it.
  for (let times = 0; times < 2; times += 1) (await storage.claim('s', 'if-free'))?.release()

  const agent = createAgent({ model: scriptedModel(), storage, sessionId: 's' })
  onTestFinished(agent.dispose)
  await agent.ready
  const { result } = renderHook(() => useAgent(agent))
  expect(result.current.access).toBe('read-only')
  expect(result.current.can.send).toBe(false)
  await result.current.takeOver()

  await waitFor(() => expect(result.current.can.send).toBe(true))
  expect(result.current.access).toBe('owner')
})

function idOf({ getState }: ReturnType<typeof createAgent>): string {
  const parts = getState().messages.flatMap(({ content }) => [...content])
  return parts.flatMap((part) => (part.type === 'toolCall' ? [part.toolCallId] : []))[0] ?? ''
}
