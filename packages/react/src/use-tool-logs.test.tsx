import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { calls, createPlayedAgent, doing, streaming } from './agents.fixtures.ts'
import { type ToolLogsOptions, useToolLogs } from './use-tool-logs.ts'

afterEach(cleanup)

test('gives the last lines of a call, of the wanted levels, and counts the rest', async () => {
  const played = createPlayedAgent()
  const initialProps: ToolLogsOptions = {}
  const { result, rerender } = renderHook(
    (options) => useToolLogs(played.agent, 'call_1', options),
    { initialProps },
  )
  expect(result.current).toEqual({ lines: [], dropped: 0 })
  await doing(() => played.agent.prompt('Go.'))
  await streaming(played, ...calls('work'))
  const worker = played.host.worker('work')
  await doing(() => worker.begin())

  for (const text of ['one', 'two', 'three']) await doing(() => worker.log(text))
  expect(result.current.lines.map(({ text }) => text)).toEqual(['one', 'two', 'three'])

  rerender({ tail: 1 })
  expect(result.current).toMatchObject({ lines: [{ text: 'three' }], dropped: 2 })
  rerender({ tail: 0 })
  expect(result.current).toEqual({ lines: [], dropped: 3 })
  rerender({ levels: ['error'] })
  expect(result.current).toEqual({ lines: [], dropped: 0 })
  const before = result.current
  rerender({ levels: ['error'] })
  expect(result.current).toBe(before)
})

test('renders only when the log grows', async () => {
  const played = createPlayedAgent()
  await doing(() => played.agent.prompt('Go.'))
  await streaming(played, ...calls('work'))
  const worker = played.host.worker('work')
  await doing(() => worker.begin())
  let renders = 0
  renderHook(() => {
    renders += 1
    return useToolLogs(played.agent, 'call_1')
  })

  await doing(() => worker.progress(50))
  expect(renders).toBe(1)
  await doing(() => worker.log('a line'))
  expect(renders).toBe(2)
})
