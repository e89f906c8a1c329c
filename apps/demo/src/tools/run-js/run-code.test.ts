import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core'
import { expect, test } from 'vitest'
import { type CodeJob, runCode } from './run-code.ts'

test.for([
  ['const n = [1, 2, 3]\nn.map((one) => one * 2)', '[2,4,6]', 'object'],
  ['"text"', 'text', 'string'],
  ['2n ** 70n', '1180591620717411303424n', 'bigint'],
  ['new Map([["a", new Set([1])]])', '[["a",[1]]]', 'object'],
  ['({ deep: [() => 1, undefined, NaN] })', '{"deep":["[function ]",null,null]}', 'object'],
  ['let x = 1', 'undefined', 'undefined'],
  ['Promise.resolve(7).then((n) => n + 1)', '8', 'number'],
  ['(async () => { await null; return "late" })()', 'late', 'string'],
  ['null', 'null', 'object'],
] as const)('%s gives %s', async ([code, value, type]) => {
  expect(await run(code)).toMatchObject({ value, type })
})

test('writes the console to the log, and returns no less for it', async () => {
  const { lines, value } = await run(
    'console.log("a", { b: 1 }, [2])\nconsole.warn(new TypeError("odd"))\n3',
  )

  expect(lines).toEqual(['log: a {"b":1} [2]', 'warn: TypeError: odd'])
  expect(value).toBe('3')
})

test.for([
  ['const a = 1\nnope()', "ReferenceError: 'nope' is not defined (line 2)"],
  ['throw new RangeError("too far")', 'RangeError: too far (line 1)'],
  ['throw "a text"', 'a text'],
  ['Promise.reject(new Error("later"))', 'Error: later (line 1)'],
  ['1 +', 'SyntaxError'],
  ['const self = {}; self.self = self; throw self', '[a value that cannot be shown]'],
  ['const f = () => f() + 1\nf()', 'InternalError: stack overflow'],
  ['const all = []\nfor (;;) all.push({})', 'more than 64 MB of memory'],
  ['new Promise(() => {})', 'The promise never settles'],
] as const)('%s fails with a sentence', async ([code, words]) => {
  await expect(run(code, 60_000)).rejects.toThrow(words)
})

test.for([
  'for (;;) {}',
  'const again = () => Promise.resolve().then(again)\nagain()',
  'try { for (;;) {} } finally { for (;;) {} }',
])('interrupts what does not end: %s', async (code) => {
  const started = performance.now()
  await expect(run(code, 200)).rejects.toThrow('interrupted: it ran longer than 0.2 s')
  expect(performance.now() - started).toBeLessThan(5000)
})

test.for([
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'importScripts',
  'indexedDB',
  'navigator',
  'self',
  'postMessage',
  'setTimeout',
  'process',
  'require',
])('has no %s', async (name) => {
  expect(await run(`typeof ${name}`)).toMatchObject({ value: 'undefined' })
})

async function run(code: string, limitMs = 20_000) {
  const quickjs = await newQuickJSWASMModuleFromVariant(variant)
  const lines: string[] = []
  const onLine: CodeJob['onLine'] = (line, method) => lines.push(`${method}: ${line}`)
  return { ...runCode({ quickjs, code, limitMs, onLine }), lines }
}
