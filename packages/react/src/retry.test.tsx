import type { Agent } from '@offthread/core'
import { cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import {
  answer,
  calls,
  createPlayedAgent,
  doing,
  type PlayedAgent,
  streaming,
} from './agents.fixtures.ts'
import { useAgent } from './use-agent.ts'
import { useMessage } from './use-message.ts'
import { useToolCall } from './use-tool-call.ts'

afterEach(cleanup)

/** A call has failed, and the model has read that. */
async function failed(): Promise<PlayedAgent> {
  const played = createPlayedAgent()
  await doing(() => played.agent.prompt('Go.'))
  await streaming(played, ...calls('work'))
  await doing(() => played.host.worker('work').throws(new Error('No.')))
  await streaming(played, ...answer('It failed.'))
  return played
}

/** Has the call run once more. What does that is loaded with the first retry. */
async function retrying({ agent }: PlayedAgent, retry: () => unknown): Promise<void> {
  await doing(() => void retry())
  await waitFor(() => expect(agent.getState().toolCalls.get('call_1')?.hasEnded).toBe(false))
}

const callingId = (agent: Agent) => agent.getState().toolCalls.get('call_1')?.messageId ?? ''

test('[R7] a card that failed can be retried, and then has what it was before', async () => {
  const played = await failed()
  const { result } = renderHook(() => useToolCall(played.agent, 'call_1'))
  expect(result.current).toMatchObject({ status: 'failed', can: { retry: true } })

  await retrying(played, () => result.current?.retry())
  expect(result.current).toMatchObject({ hasEnded: false, can: { retry: false } })
  await doing(() => played.host.worker('work', 1).answer('worked'))
  await streaming(played, ...answer('It worked.'))

  expect(result.current).toMatchObject({
    status: 'succeeded',
    can: { retry: false },
    earlier: [{ status: 'failed', result: { content: [{ text: 'No.' }] } }],
  })
})

test('[R5] a retry takes other arguments, and no event of a button for them', async () => {
  const played = await failed()
  const { result } = renderHook(() => useToolCall(played.agent, 'call_1'))

  const onClick = result.current?.retry ?? (() => {})
  await retrying(played, () => void Reflect.apply(onClick, undefined, [new MouseEvent('click')]))
  await doing(() => played.host.worker('work', 1).throws(new Error('No.')))
  await streaming(played, ...answer('It failed.'))
  await retrying(played, () => result.current?.retry({ args: { n: 1 } }))

  expect(played.host.worker('work', 1).request()?.input).toEqual({})
  expect(played.host.worker('work', 2).request()?.input).toEqual({ n: 1 })
})

test('[R7] the answer that made the call leads back to the branch that was left', async () => {
  const played = await failed()
  const { agent } = played
  const view = renderHook(() => useAgent(agent))
  const message = renderHook(() => useMessage(agent, callingId(agent)))
  await retrying(played, () => view.result.current.retryTool('call_1'))
  expect(message.result.current).toMatchObject({ branchCount: 2, branchIndex: 1 })
  await doing(() => played.host.worker('work', 1).answer('worked'))
  await streaming(played, ...answer('It worked.'))

  await doing(() => message.result.current?.selectBranch(0))
  expect(message.result.current).toMatchObject({ branchCount: 2, branchIndex: 0 })
  expect(agent.getState().toolCalls.get('call_1')).toMatchObject({ status: 'failed' })
  await doing(() => message.result.current?.selectBranch(1))
  expect(message.result.current).toMatchObject({ branchIndex: 1 })
  expect(agent.getState().toolCalls.get('call_1')).toMatchObject({ status: 'succeeded' })
})
