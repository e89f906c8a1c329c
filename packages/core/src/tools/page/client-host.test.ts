/// <reference types="node" />
import { expect, expectTypeOf, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { checkTools } from '../check-tools.ts'
import { defineTool } from '../definition.ts'
import { behaveAt } from '../fixtures/behave.fixtures.ts'
import { callTo, createRecorder } from '../fixtures/calls.fixtures.ts'
import { createFakeWorker } from '../fixtures/fake-worker.fixtures.ts'
import { echo } from '../fixtures/tools.fixtures.ts'
import { implement } from '../worker/implement.ts'
import { inClient } from './client-host.ts'
import { inWorkers } from './in-workers.ts'
import { inPage } from './page-host.ts'

const pickDate = defineTool({
  name: 'pick_date',
  description: 'Asks the user for a date.',
  inputSchema: z.object({}),
  place: 'client',
})

test('holds tools that need no code, with their types', async () => {
  const host = inClient([pickDate])

  await checkTools(host)
  expect(host.tools).toEqual([pickDate])
  expectTypeOf(host.tools[0]?.name).toEqualTypeOf<'pick_date' | undefined>()
})

test('[P3] runs nothing, and says that people answer', async () => {
  const recorder = createRecorder()
  const execution = inClient([pickDate]).open(pickDate, { graceMs: 250 })

  const why =
    'Tool "pick_date" is answered by the user interface and runs nowhere. Answer its call with agent.addToolResult(toolCallId, result).'
  await expect(execution.ready).rejects.toThrow(why)
  expect(await execution.run(callTo('pick_date', {}), recorder)).toEqual({
    kind: 'crashed',
    message: why,
  })
  execution.stop()
  execution.close()
  expect(recorder.notices).toEqual([])
})

test('a readiness that is read and not waited for is no unhandled rejection', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  onTestFinished(() => void process.off('unhandledRejection', unhandled))

  // A host of one's own may take an execution apart like this.
  const { close } = { ...inClient([pickDate]).open(pickDate, { graceMs: 250 }) }
  close()
  await new Promise((resolve) => setTimeout(resolve))

  expect(unhandled).not.toHaveBeenCalled()
})

test('refuses misuse with a sentence about what to do', () => {
  const page = behaveAt('page')

  for (const given of ['[]', 'null', '5', '{}', '"pick_date"', '[null]', '["pick_date"]']) {
    expect(() => inClient(listOf(given))).toThrow('inClient needs at least one tool.')
  }
  expect(() => inClient([pickDate, pickDate])).toThrow('two tools named "pick_date"')
  expect(() => inClient([echo])).toThrow(
    `Tool "echo" has the place 'worker', which is not for inClient. Use inWorkers([echo]), or give its definition place: 'client'.`,
  )
  expect(() => inClient([page])).toThrow('Use inPage([implement(behave, …)])')
})

function listOf(json: string): readonly (typeof pickDate)[] {
  const list: readonly (typeof pickDate)[] = JSON.parse(json)
  return list
}

test('[P10] is the only place for its tools', () => {
  expect(() => inWorkers([pickDate], createFakeWorker)).toThrow(
    `Tool "pick_date" has the place 'client', which is not for inWorkers. Use inClient([pick_date]), or give its definition place: 'worker'.`,
  )
  expect(() => inPage([implement(pickDate, () => 1)])).toThrow('Use inClient([pick_date])')
})
