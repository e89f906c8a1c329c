import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { rules } from '../layers.config.mjs'
import { checkLayers } from './layers.mjs'

const core = 'packages/core/src'

test('a tree whose imports go down passes, tests being free', () => {
  const broken = check({
    [`${core}/index.ts`]: "export { createAgent } from './agent.ts'",
    [`${core}/agent.ts`]:
      "import { fold } from './kernel/fold.ts'\nexport const createAgent = fold",
    [`${core}/kernel/fold.ts`]:
      'export const fold = (event: { document: string }) => event.document',
    [`${core}/kernel/fold.test.ts`]: "import '../agent.ts'\nawait Promise.resolve(new Date())",
  })

  expect(broken).toEqual([])
})

test.each([
  ['React', "import { useState } from 'react'"],
  ['a type of React', "import type { ReactNode } from 'react'"],
  ['a Node module', "import { readFileSync } from 'node:fs'"],
])('core does not import %s', (_, source) => {
  expect(check({ [`${core}/agent.ts`]: source })).toEqual([
    expect.stringContaining('agent.ts:1 imports'),
  ])
})

test('the React package does not import zustand', () => {
  expect(check({ 'packages/react/src/use-agent.ts': "import { create } from 'zustand'" })).toEqual([
    'packages/react/src/use-agent.ts:1 imports "zustand": only @offthread/core, react, react-dom may be imported by name.',
  ])
})

test('only the package of processes imports modules of Node, and only those that it names', () => {
  const broken = check({
    'packages/fleet/src/serve/a.ts': "import 'node:fs/promises'\nimport 'node:http'",
    'packages/react/src/a.ts': "import 'node:fs'",
  })

  expect(broken).toEqual([
    expect.stringContaining('packages/react/src/a.ts:1 imports "node:fs": only'),
    expect.stringContaining('packages/fleet/src/serve/a.ts:2 imports "node:http": only'),
  ])
})

test.each(['use-agent.ts', 'use-agent.test.tsx', 'agents.fixtures.ts'])(
  'a package does not reach into another one by path: %s',
  (file) => {
    const broken = check({
      [`${core}/agent.ts`]: 'export const agent = 1',
      [`packages/react/src/${file}`]: "import { agent } from '../../core/src/agent.ts'",
    })

    expect(broken).toEqual([expect.stringContaining('it lies outside this package')])
  },
)

test('a package that does not stand alone shares suites and data with its tests, and no more', () => {
  const test = 'packages/chrome/src/chrome.test.ts'
  const broken = check({
    [`${core}/model/model.contract.ts`]: '',
    [`${core}/model/model.ts`]: '',
    [test]:
      "import '../../core/src/model/model.contract.ts'\nimport '../../core/src/model/model.ts'",
  })

  expect(broken).toEqual([
    `${test}:2 imports "../../core/src/model/model.ts": it lies outside this package; import the package by its name.`,
  ])
})

test.each([
  ['tools/host.ts', './page/page-host.ts', '. lies below page'],
  ['tools/result/cut-bytes.ts', '../worker/serve.ts', 'result lies below worker'],
  ['tools/worker/serve.ts', '../page/page-host.ts', 'worker lies below page'],
  ['tools/other/new.ts', '../host.ts', 'other has no place'],
])('inside tools imports go down, too: %s', (from, specifier, problem) => {
  const target = `${core}/tools/${specifier.replace(/^\.\.?\//, '')}`

  expect(check({ [`${core}/${from}`]: `import '${specifier}'`, [target]: '' })).toEqual([
    expect.stringContaining(problem),
  ])
  expect(
    check({
      [`${core}/tools/page/a.ts`]: "import '../result/b.ts'",
      [`${core}/tools/result/b.ts`]: '',
    }),
  ).toEqual([])
})

test.each([
  ['a value', "import { run } from '../runtime.ts'"],
  ['a type', "import type { Run } from '../runtime.ts'"],
  ['a type in place', "export type Run = import('../runtime.ts').Run"],
  ['everything again', "export * from '../runtime.ts'"],
  ['lazily', "export const run = import('../runtime.ts')"],
])('kernel does not import upwards: %s', (_, source) => {
  const broken = check({ [`${core}/kernel/fold.ts`]: source, [`${core}/runtime.ts`]: '' })

  expect(broken[0]).toContain('kernel lies below runtime; imports go down.')
})

test.each([
  ['model/port.ts', '../tools/protocol.ts', 'tools/protocol.ts'],
  ['storage/port.ts', '../model/port.ts', 'model/port.ts'],
  ['runtime.ts', './store.ts', 'store.ts'],
  ['runtime/perform.ts', '../store-frames.ts', 'store-frames.ts'],
])('%s does not import %s, which is on the same layer', (from, specifier, to) => {
  const broken = check({ [`${core}/${from}`]: `import '${specifier}'`, [`${core}/${to}`]: '' })

  expect(broken).toEqual([expect.stringContaining('are strangers.')])
})

test.each([
  ['Date', 'export const now = () => new Date()'],
  ['Promise', 'export const wait = (done: Promise<void>) => done'],
  ['async', 'export const wait = async () => {}'],
  ['async', 'export async function* wait() {}'],
  ['await', 'export const wait = await 1'],
  ['await', 'for await (const value of []) void value'],
  ['import()', "export const fold = import('./fold.ts')"],
  ['import.meta', 'export const url = import.meta.url'],
  ['globalThis', "export const now = globalThis['Date']"],
  ['setTimeout', 'setTimeout(() => {}, 1)'],
  ['setImmediate', 'setImmediate(() => {})'],
  ['requestIdleCallback', 'requestIdleCallback(() => {})'],
  ['Temporal', 'export const now = Temporal.Now.instant()'],
  ['Intl', "export const day = new Intl.DateTimeFormat('en').format()"],
  ['XMLHttpRequest', 'export const request = new XMLHttpRequest()'],
  ['WebSocket', "export const socket = new WebSocket('wss://example.org')"],
  ['BroadcastChannel', "export const channel = new BroadcastChannel('tabs')"],
  ['AbortController', 'export const controller = new AbortController()'],
  ['AbortSignal', 'export const isOver = (signal: AbortSignal) => signal.aborted'],
  ['location', 'export const here = location.href'],
  ['eval', "export const now = eval('Date')"],
  ['Function', "export const now = new Function('return Date.now()')"],
  ['.constructor', "export const now = isNaN.constructor('return Date.now()')"],
  ['.constructor', 'export const make = ({ constructor: make }) => make'],
  ['.toLocaleString', 'export const shown = (1).toLocaleString()'],
  ['Array.fromAsync', 'export const all = Array.fromAsync([])'],
  ['Math.random', 'export const id = Math.random()'],
  ['Math.random', "export const id = Math['random']()"],
  ['Math', "export const id = Math[['random'].join()]()"],
  ['Math', 'const { random } = Math'],
  ['Math', 'const M = Math; M.random()'],
  ['Math', 'export const all = { Math }'],
  ['Math', 'export { Math }'],
])('kernel does not use %s: %s', (what, source) => {
  expect(check({ [`${core}/kernel/fold.ts`]: source })).toContain(
    `${core}/kernel/fold.ts:1 uses ${what}; kernel is pure.`,
  )
})

test.each([
  ['in another function', 'const f = (fetch: () => 1) => fetch()\nfetch()'],
  ['in a block that is over', 'if (f) { const fetch = 1 }\nfetch()\nfunction f() {}'],
  ['as a type', 'type fetch = 1\nfetch()'],
  ['as an imported type', "import type { fetch } from './events.ts'\nfetch()"],
  ['as something that is elsewhere', 'declare const fetch: () => void\nfetch()'],
  ['as a member', 'const all = { fetch: 1, f() { return fetch() } }\nall.f()'],
])('a name that is declared %s does not excuse the global', (_, source) => {
  const files = { [`${core}/kernel/fold.ts`]: source, [`${core}/kernel/events.ts`]: '' }

  expect(check(files)).toContainEqual(expect.stringContaining('uses fetch; kernel is pure.'))
})

test('kernel uses what it declares, whatever the name, and the pure part of the language', () => {
  const source = `
    import values, { type Event, fold as refold, location } from './events.ts'
    import * as all from './events.ts'
    export type { Event, Clock }
    export { refold as fetch } from './events.ts'
    interface Clock<Time> extends Readonly { Date: Time; now(this: Clock<Time>, fetch: 1): this }
    interface Readonly { readonly [key: string]: Extract<Event, { type: 1 }> }
    type Folded = { [Key in keyof Event]: Event[Key] extends Set<infer Item> ? Item : all.State }
    enum Kind { Date, process = 2 }
    class Document<Type> extends location implements Clock<Type> {
      static { const name = Document }
      Date = Kind.Date
      constructor(private readonly self: Type) { super(self) }
    }
    export function fold(window: string): Map<string, Folded>
    export function fold({ window, ...process }: Event, [fetch = 1, ...console] = [2]) {
      const { document: { crypto } = {}, [window]: Worker } = new Document(process)
      outer: for (const Date of console) for (let self = 0; self < Date; self++) break outer
      try { return [crypto, Worker, fetch, values] } catch (performance) { throw String(performance) }
    }
    export const walk = function step(node: unknown): node is Event {
      return Array.isArray(node) ? node.some(step) : refold({ fetch: Math.max(1, 2) } as const).fetch
    }
  `

  const files = { [`${core}/kernel/fold.ts`]: source, [`${core}/kernel/events.ts`]: '' }

  expect(check(files)).toEqual([])
})

test('kernel does not get impurity from a lower layer', () => {
  const broken = check({
    [`${core}/kernel/fold.ts`]:
      "import { now } from '../internal/clock.ts'\nexport const fold = now",
    [`${core}/internal/clock.ts`]: 'export const now = () => Date.now()',
  })

  expect(broken).toEqual([`${core}/internal/clock.ts:1 uses Date; kernel is pure.`])
})

test('imports have no cycle', () => {
  const broken = check({
    [`${core}/kernel/fold.ts`]: "import type { Event } from './events.ts'",
    [`${core}/kernel/events.ts`]: "import type { State } from './fold.ts'",
  })

  expect(broken).toEqual([expect.stringContaining('is a cycle.')])
})

test.each([
  ['apps/demo/src', 'tsx', "import './b.tsx'"],
  ['sim', 'ts', "import type { Other } from './b.ts'"],
  ['scripts', 'mjs', "/** @type {import('./b.mjs').Other} */"],
])('nor do they in %s', (folder, extension, source) => {
  const broken = check({
    [`${folder}/a.${extension}`]: source,
    [`${folder}/b.${extension}`]: `export { a } from './a.${extension}'`,
  })

  expect(broken).toEqual([
    `${folder}/a.${extension} → ${folder}/b.${extension} → ${folder}/a.${extension} is a cycle.`,
  ])
})

test('nor do they through tests', () => {
  const broken = check({
    [`${core}/agent.fixtures.ts`]: "import './agent.test.ts'",
    [`${core}/agent.test.ts`]: "import './agent.fixtures.ts'",
  })

  expect(broken).toEqual([expect.stringContaining('is a cycle.')])
})

test.each([
  ["import './gone.ts'", 'there is no such module.'],
  ["import './agent.test.ts'", 'product code does not import tests.'],
])('%s in product code is refused', (source, reason) => {
  const broken = check({ [`${core}/agent.ts`]: source, [`${core}/agent.test.ts`]: '' })

  expect(broken).toEqual([expect.stringContaining(reason)])
})

test('a file without a layer is refused', () => {
  expect(check({ [`${core}/utils.ts`]: '' })).toEqual([
    expect.stringContaining('belongs to no layer'),
  ])
})

/** @param {Record<string, string>} files */
function check(files) {
  const root = mkdtempSync(join(tmpdir(), 'layers-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const name of Object.keys(rules)) mkdirSync(join(root, name, 'src'), { recursive: true })
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), source)
  }
  return checkLayers(root)
}
