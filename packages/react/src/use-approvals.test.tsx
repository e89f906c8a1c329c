import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { calls, createPlayedAgent, doing, streaming } from './agents.fixtures.ts'
import { useApprovals } from './use-approvals.ts'

afterEach(cleanup)

test('gives the calls that wait to be allowed, and lets a person answer them', async () => {
  const hooks = { beforeToolCall: () => ({ requireApproval: true }) }
  const played = createPlayedAgent(['one', 'two'], { hooks })
  let renders = 0
  const { result } = renderHook(() => {
    renders += 1
    return useApprovals(played.agent)
  })
  expect(result.current).toEqual([])
  await doing(() => played.agent.prompt('Go.'))
  await streaming(played, ...calls('one', 'two'))
  expect(result.current.map(({ toolName }) => toolName)).toEqual(['one', 'two'])

  const [first, second] = result.current
  await doing(() => first?.addToolApprovalResponse({ approved: true }))
  expect(result.current.map(({ toolName }) => toolName)).toEqual(['two'])
  const before = renders
  await doing(() => played.host.worker('one').begin())
  expect(renders).toBe(before)
  await doing(() => second?.addToolApprovalResponse({ approved: false, reason: 'No.' }))

  expect(result.current).toEqual([])
  expect(played.agent.getState().toolCalls.get('call_2')?.status).toBe('denied')
})
