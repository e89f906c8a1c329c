import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../../testing/fake-clock.ts'
import { defineTool } from '../definition.ts'
import { behave, behaveAt } from '../fixtures/behave.fixtures.ts'
import { callTo, createRecorder } from '../fixtures/calls.fixtures.ts'
import { echo } from '../fixtures/tools.fixtures.ts'
import { hostContract } from '../host.contract.ts'
import { implement } from '../worker/implement.ts'
import { inPage } from './page-host.ts'

hostContract('inPage', (clock) => inPage([implement(behaveAt('page'), behave)], { clock }))

const plot = defineTool({
  name: 'plot',
  description: 'Draws.',
  inputSchema: z.looseObject({ points: z.array(z.number()) }),
  place: 'page',
})

test.for([
  ['a tool without its code', [plot]],
  ['code without its list', implement(plot, () => 'x')],
  ['nothing', undefined],
  ['a list of nothing', [null]],
])('refuses %s in a sentence', ([, given]) => {
  expect(() => inPage(given as never)).toThrow(
    new TypeError('inPage takes a list of what implement(tool, …) gives.'),
  )
})

test('does not abort code that has ended by itself', async () => {
  let signal: AbortSignal | undefined
  const host = inPage([
    implement(plot, (_, context) => {
      signal = context.signal
    }),
  ])

  const settlement = await host
    .open(plot, { graceMs: 250 })
    .run(callTo('plot', { points: [] }), createRecorder())

  expect(settlement).toEqual({ kind: 'returned', result: { content: [] } })
  expect(signal?.aborted).toBe(false)
})

test('[I25] leaves no timer for abandoned code that goes on reporting', async () => {
  const clock = fakeClock()
  let report = () => {}
  const host = inPage(
    [
      implement(plot, (_, { onUpdate }) => {
        report = () => {
          onUpdate({ content: 'a' })
          onUpdate({ content: 'b' })
        }
        return new Promise(() => {})
      }),
    ],
    { clock },
  )
  const recorder = createRecorder()
  const execution = host.open(plot, { graceMs: 250 })
  const done = execution.run(callTo('plot', { points: [] }), recorder)
  await recorder.received('running')

  execution.stop()
  clock.advance(240)
  report()
  clock.advance(10)
  report()

  expect(await done).toEqual({ kind: 'stopped', how: 'terminated' })
  expect(recorder.updates()).toEqual(['a'])
  expect(clock.pending()).toBe(0)
})

test('keeps the arguments of a call from being changed by its code', async () => {
  const host = inPage([implement(plot, ({ other }) => Array.isArray(other) && other.push(2))])
  const input = { points: [], other: [1] }

  await host.open(plot, { graceMs: 250 }).run(callTo('plot', input), createRecorder())

  expect(input).toEqual({ points: [], other: [1] })
})

test('[S000-13] says what is missing when a tool has no code', async () => {
  const execution = inPage([implement(plot, () => 1)]).open(echo, { graceMs: 250 })

  const why = 'The page does not implement "echo". Add implement(echo, …) to inPage([…]).'
  await expect(execution.ready).rejects.toThrow(why)
  expect(await execution.run(callTo('echo', {}), createRecorder())).toEqual({
    kind: 'crashed',
    message: why,
  })
})

test('refuses misuse with a sentence about what to do', () => {
  expect(() => inPage([])).toThrow('inPage needs at least one implement(tool, …).')
  expect(() => inPage([implement(plot, () => 1), implement(plot, () => 2)])).toThrow(
    'two tools named "plot"',
  )
  expect(() => inPage([implement(echo, () => 1)])).toThrow("place: 'page'")
})

test('has the types of its tools', () => {
  const pick = defineTool({
    name: 'pick',
    description: 'Picks.',
    inputSchema: z.object({}),
    place: 'page',
  })
  const host = inPage([implement(plot, () => 1), implement(pick, () => 'a')])

  expectTypeOf(host.tools[0]?.name).toEqualTypeOf<'plot' | 'pick' | undefined>()
  expect(host.tools.map(({ name }) => name)).toEqual(['plot', 'pick'])
})
