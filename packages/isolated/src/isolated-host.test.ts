import { expect, test } from 'vitest'
import { echo } from '../../core/src/tools/fixtures/tools.fixtures.ts'
import { act, behaveIsolated } from './fixtures/isolated.fixtures.ts'
import { inIsolation } from './isolated-host.ts'

const source = { text: '' }

test('does not use the page before the first call, so it can be created on a server', () => {
  expect(inIsolation([act, behaveIsolated], source).tools).toEqual([act, behaveIsolated])
})

test('refuses tools of other places, and network options that are not exact', () => {
  expect(() => inIsolation([], source)).toThrow('inIsolation needs at least one tool.')
  expect(() => inIsolation([act, act], source)).toThrow('There are two tools named "act"')
  expect(() => inIsolation([echo], source)).toThrow(
    `Tool "echo" has the place 'worker', which is not for inIsolation. Use inWorkers([echo]), or give its definition place: 'isolated'.`,
  )
  expect(() => inIsolation([act], source, { network: { origins: ['*'] } })).toThrow(
    '"*" is no exact origin',
  )
})
