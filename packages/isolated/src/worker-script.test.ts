import { createContext, runInContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { workerScript } from './worker-script.ts'

/** What isolated code may do to what the script uses, and what it may write: expressions. */
const spoiled = [
  'Reflect.apply = () => {}',
  'Event.prototype.preventDefault = () => {}',
  'JSON.stringify = () => "a".repeat(1e4)',
  'String = () => ({ length: 0 })',
  'Array.prototype[Symbol.iterator] = null',
  'Function.prototype.call = Function.prototype.apply = () => {}',
]
const values = [
  '1',
  '"a".repeat(30_000)',
  'new Error("a".repeat(30_000))',
  'Array(3000).fill("aaaa")',
  '{ toString: () => "a".repeat(30_000) }',
  '{ toJSON: () => "a".repeat(30_000) }',
  '{ toJSON() { throw 1 } }',
  'Object.assign(new Error(), { toString: () => ({}) })',
  'new Proxy({}, { get() { throw 1 } })',
  'Symbol("a".repeat(30_000))',
  'new String("a".repeat(30_000))',
  '10n ** 300n',
]
const methods = ['log', 'error', 'table', 'dir', 'trace', 'assert', 'group', 'count', 'timeLog']
const flood = fc.record({
  before: fc.subarray(spoiled),
  method: fc.constantFrom(...methods),
  values: fc.array(fc.constantFrom(...values), { maxLength: 3 }),
  times: fc.constantFrom(1, 200),
})

test('[P7] whatever isolated code writes, 500 texts of 2,000 characters reach the console of the browser', () => {
  fc.assert(
    fc.property(fc.array(flood, { minLength: 1, maxLength: 5 }), (floods) => {
      const { written, run } = startScript()

      for (const { before, method, values, times } of floods) {
        const call = `console.${method}(${values.join()})`
        run(`${before.join('\n')}\nfor (let n = 0; n < ${times}; n++) try { ${call} } catch {}`)
      }

      expect(written.length).toBeLessThanOrEqual(500)
      for (const said of written) {
        expect(said).toEqual([expect.any(String)])
        expect(String(said[0]).length).toBeLessThanOrEqual(2000)
      }
    }),
    { numRuns: 50 },
  )
})

/** The script in a scope of its own, with the console of a browser. */
function startScript() {
  const written: (readonly unknown[])[] = []
  const write = (...said: unknown[]) => void written.push(said)
  const console = Object.fromEntries(methods.map((method) => [method, write]))
  const nothing = () => {}
  const scope = createContext({ console, addEventListener: nothing, close: nothing })
  const run = (code: string): unknown => runInContext(code, scope)
  run('self = globalThis; Event = class { preventDefault() {} }')
  run(
    'ErrorEvent = class { get message() { return "" } }; MessagePort = class { postMessage() {} }',
  )
  run(workerScript)
  run('onmessage({ ports: [{ postMessage() {} }] })')
  return { written, run }
}
