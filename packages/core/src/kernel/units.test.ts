import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ToolExecution } from './events.ts'
import { dispatched, ended, prepared, stateOf } from './log.fixtures.ts'
import { called, configWith, scene } from './scene.fixtures.ts'
import { unitsOf } from './units.ts'

const batched = (size: number): ToolExecution => ({ type: 'batched', size })

test.for<[string, ToolExecution, readonly string[], readonly string[]]>([
  ['all at once', 'parallel', ['add', 'add', 'add'], ['123']],
  ['one by one', 'sequential', ['add', 'add', 'add'], ['1', '2', '3']],
  ['two at once', batched(2), ['add', 'add', 'add'], ['12', '3']],
  ['more at once than there are', batched(9), ['add', 'add', 'add'], ['123']],
  ['around one that runs alone', 'parallel', ['add', 'alone', 'add', 'add'], ['1', '2', '34']],
  ['around two that run alone', 'parallel', ['alone', 'alone', 'add'], ['1', '2', '3']],
  ['two at once, around one alone', batched(2), ['add', 'alone', 'add', 'add'], ['1', '2', '34']],
  ['with unknown names', 'parallel', ['constructor', 'alone'], ['1', '2']],
])('[I14] [S003-11] [L2] calls run %s', ([, toolExecution, names, expected]) => {
  expect(unitsIn(toolExecution, names)).toEqual(expected)
})

test('[I14] [L3] units hold every call once, in call order; none is too large, and a sequential tool is alone', () => {
  const anyStrategy = fc.oneof(
    fc.constantFrom<ToolExecution>('parallel', 'sequential'),
    fc.integer({ min: 1, max: 4 }).map(batched),
  )
  const anyNames = fc.array(fc.constantFrom('add', 'alone', 'missing'), {
    minLength: 1,
    maxLength: 9,
  })
  fc.assert(
    fc.property(anyStrategy, anyNames, (strategy, names) => {
      const units = unitsIn(strategy, names)
      const limit = typeof strategy === 'object' ? strategy.size : strategy === 'parallel' ? 9 : 1

      expect(units.join('')).toBe(names.map((_, index) => index + 1).join(''))
      for (const unit of units) {
        expect(unit.length).toBeLessThanOrEqual(limit)
        const isAlone = [...unit].some((digit) => names[Number(digit) - 1] === 'alone')
        if (isAlone) expect(unit).toHaveLength(1)
      }
    }),
  )
})

test('[I9] [I14] [S000-4] all starts of a unit come before any of its dispatches, and later units wait', () => {
  const { write, wanted, log } = scene(configWith(), called(batched(2), 'add', 'add', 'add'))
  const starts = () => log.flatMap((one) => (one.type === 'tool_execution_start' ? [one] : []))

  expect(starts().map(({ toolCallId }) => toolCallId)).toEqual(['call_1', 'call_2'])
  expect(wanted()).toEqual(['prepare_call call_1'])

  write(prepared('call_1'), dispatched('call_1'), prepared('call_2'), dispatched('call_2'))
  expect(write(ended('call_2'))).toEqual(['end call_2 succeeded'])
  expect(wanted()).toEqual(['run_call call_1 1'])

  expect(write(ended('call_1'))).toEqual(['end call_1 succeeded', 'start call_3'])
  expect(wanted()).toEqual(['prepare_call call_3'])
  expect(starts().map(({ index, batchSize }) => [index, batchSize])).toEqual([
    [0, 3],
    [1, 3],
    [2, 3],
  ])
})

test.for<[string, ToolExecution, readonly string[]]>([
  ['every call', 'sequential', ['add', 'add']],
  ['a tool that runs alone', 'parallel', ['alone', 'add']],
  ['what comes before a tool that runs alone', 'parallel', ['add', 'alone']],
])('[I14] %s ends before the next call starts', ([, strategy, names]) => {
  const { write, wanted } = scene(configWith(), called(strategy, ...names))

  write(prepared('call_1'), dispatched('call_1'))
  expect(wanted()).toEqual(['run_call call_1 1'])

  expect(write(ended('call_1'))).toEqual(['end call_1 succeeded', 'start call_2'])
})

test('[I15] the next unit starts also after a call that failed', () => {
  const { write } = scene(configWith(), called('sequential', 'missing', 'add'))

  expect(write()).toEqual([])
  expect(write(prepared('call_2'), dispatched('call_2'), ended('call_2'))).toContain(
    'tools_end call_1 call_2',
  )
})

test('[A8] a call that waits for an answer holds up no later unit', () => {
  const { write, wanted } = scene(configWith(), called('sequential', 'ask', 'add'))

  expect(write(prepared('call_1'))).toEqual(['tool_prepared call_1', 'start call_2'])
  expect(wanted()).toEqual(['prepare_call call_2'])
})

test('[L2] the strategy of the run counts, not a later setting', () => {
  const { wanted } = scene(
    configWith({ toolExecution: 'parallel' }),
    called('sequential', 'add', 'add'),
  )

  expect(wanted()).toEqual(['prepare_call call_1'])
})

function unitsIn(toolExecution: ToolExecution, names: readonly string[]): string[] {
  const { batch } = stateOf(called(toolExecution, ...names))
  if (!batch) return []
  return unitsOf(batch, configWith()).map((unit) =>
    unit.map(({ toolCallId }) => toolCallId.replace('call_', '')).join(''),
  )
}
