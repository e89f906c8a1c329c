/** @jest-environment ./jsdom-with-globals.cjs */
import { expect, test } from '@jest/globals'
import { say, scriptedModel, testAgent } from '@offthread/core/testing'
import { useAgent } from '@offthread/react'
import { act, renderHook } from '@testing-library/react'

test('a component sees the answer', async () => {
  const { agent } = testAgent({ model: scriptedModel([say('Hello.')]) })
  const { result } = renderHook(() => useAgent(agent))

  await act(() => agent.prompt('Hi.'))

  expect(result.current).toMatchObject({ status: 'ready', messages: [{}, { role: 'assistant' }] })
})
