import { expect, test } from 'vitest'
import { pageTools } from '../agent/agent.fixtures.ts'
import type { ToolExecution } from '../kernel/events.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { judgedWorkers } from '../testing/judged-workers.fixtures.ts'
import { calling, callTo, executed, resultsOf, watchedSignal } from './loop.fixtures.ts'

const cancelledBeforeStart = 'Cancelled by the user before it started. It did not run.'
const cancelledRunning = 'Cancelled by the user while running. It may have had partial effects.'

function threeWorkers() {
  const environment = createManualEnvironment()
  const names = ['a', 'b', 'c']
  const tools = judgedWorkers(
    names.map((name) => workerTool(name)),
    environment,
  )
  return { environment, tools, message: calling(...names) }
}

test('[S000-16] [I20] [I25] an abort reaches every tool, and the results so far are returned', async () => {
  const { environment, tools, message } = threeWorkers()
  const { signal, abort, listeners } = watchedSignal()
  const { done, eventNames } = executed({ message, tools, signal, maxConcurrency: 2 }, environment)
  await quiet()
  tools.worker('a').begin()
  tools.worker('a').answer('done in time')
  await quiet()
  tools.worker('b').begin()

  abort()
  await quiet()
  const wereAsked = tools.started.map((worker) => worker.wasAskedToStop())
  environment.clock.advance(250)
  const results = await resultsOf(done)

  expect(wereAsked).toEqual([false, true, true])
  expect(results).toEqual(['A: done in time', `B!: ${cancelledRunning}`, `C!: ${cancelledRunning}`])
  expect(tools.alive()).toBe(0)
  expect(tools.misuses).toEqual([])
  expect(listeners()).toBe(0)
  const length = eventNames().length
  tools.worker('b').answer('too late')
  await quiet()
  expect(eventNames()).toHaveLength(length)
})

test('[S000-16] [I20] a signal that has aborted before starts nothing, and every call is answered', async () => {
  const { environment, tools, message } = threeWorkers()
  const asked: string[] = []
  const { done } = executed(
    {
      message,
      tools,
      signal: AbortSignal.abort(),
      getSteeringMessages: () => {
        asked.push('steering')
        return []
      },
      hooks: { beforeToolCall: ({ toolName }) => void asked.push(toolName) },
    },
    environment,
  )

  const text = `!: ${cancelledBeforeStart}`
  expect(await resultsOf(done)).toEqual([`A${text}`, `B${text}`, `C${text}`])
  expect(tools.started).toEqual([])
  expect(asked).toEqual([])
})

test('[I20] an abort in the same moment counts, too', async () => {
  const { environment, tools, message } = threeWorkers()
  const { signal, abort, listeners } = watchedSignal()
  const { done } = executed({ message, tools, signal }, environment)
  abort()

  const { executionResults } = await done
  expect(executionResults.map(({ outcome }) => outcome)).toEqual(Array(3).fill('cancelled'))
  expect(tools.started).toEqual([])
  expect(listeners()).toBe(0)
})

test('[I20] [I25] [P2] code on the page that never ends is abandoned', async () => {
  const environment = createManualEnvironment()
  const signals: AbortSignal[] = []
  const tools = pageTools(environment, {
    hangs: ({ signal }) => {
      signals.push(signal)
      return new Promise(() => {})
    },
  })
  const controller = new AbortController()
  const { done } = executed(
    { message: calling('hangs'), tools, signal: controller.signal, abortGraceMs: 40 },
    environment,
  )
  await quiet()
  controller.abort()
  await quiet()
  environment.clock.advance(40)

  expect(await resultsOf(done)).toEqual([`HANGS!: ${cancelledRunning}`])
  expect(signals[0]?.aborted).toBe(true)
})

test('[I25] at the end nothing is left, and a later abort does nothing', async () => {
  const { environment, tools } = threeWorkers()
  const { signal, abort, listeners } = watchedSignal()
  const { done, events } = executed(
    { message: calling('a', 'b'), tools, signal, getSteeringMessages: () => [] },
    environment,
  )
  await quiet()
  tools.worker('a').begin()
  tools.worker('a').answer('1')
  tools.worker('b').begin()
  tools.worker('b').crash('It is gone.')
  await done
  const { length } = events

  expect(tools.alive()).toBe(0)
  expect(environment.clock.pending()).toBe(0)
  expect(environment.pendingFrames()).toBe(0)
  expect(listeners()).toBe(0)
  abort()
  await quiet()
  expect(events).toHaveLength(length)
  expect(tools.misuses).toEqual([])
})

test('[S000-5] [S000-16] a crash is a result', async () => {
  const { environment, tools } = threeWorkers()
  const { done } = executed({ message: calling('a', 'b'), tools }, environment)
  await quiet()
  tools.worker('a').crash('It is gone.')
  tools.worker('b').answer('2')

  expect(await resultsOf(done)).toEqual([
    'A!: The tool crashed (It is gone). It may have had partial effects.',
    'B: 2',
  ])
})

test.for(['sequential', 'parallel'] satisfies ToolExecution[])(
  '[I21] with %s calls, a tool that takes too long is ended',
  async (toolExecution) => {
    const environment = createManualEnvironment()
    const { clock } = environment
    const tools = judgedWorkers([workerTool('slow', { timeoutMs: 1000 })], { clock })
    const message = { content: [callTo('slow', '1')] }
    const { done } = executed({ message, tools, toolExecution }, environment)
    await quiet()
    tools.worker('slow').begin()
    clock.advance(1000)
    await quiet()
    clock.advance(250)

    expect(await resultsOf(done)).toEqual([
      '1!: Timed out after 1 s and was stopped. It may have had partial effects.',
    ])
    expect(tools.alive()).toBe(0)
  },
)
