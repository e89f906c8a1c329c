import { expect, test } from 'vitest'
import { makesAgent, reachesMaker } from './makes-agent.ts'
import type { DevelopedModule } from './only-in-workers.ts'

test.for([
  'export const agent = createAgent({ model, tools })',
  'const agent = createAgent({ model })',
  'export default createAgent({ model })',
  'createAgent({ model }).prompt("Hello.")',
])('a module makes an agent when it is loaded: %s', (line) => {
  expect(makesAgent(`import { createAgent } from '@offthread/core'\n\n${line}`)).toBe(true)
})

test.for([
  "import { createAgent } from '@offthread/core'\nfunction open() {\n  return createAgent({ model })\n}",
  "import { createAgent } from 'another-library'\nexport const agent = createAgent({ model })",
  "import { textOf } from '@offthread/core'\nimport { agent } from './agent.ts'",
])('a module makes none when it is loaded: %s', (code) => {
  expect(makesAgent(code)).toBe(false)
})

test('a change reaches the module of the agent through its importers, up to one that takes the change', () => {
  const makers = new Set(['/src/agent.ts'])
  const view = loaded('/src/chat.tsx', { isSelfAccepting: true })
  const agent = loaded('/src/agent.ts', { importers: [view] })
  const model = loaded('/src/model.ts', { importers: [agent] })
  const button = loaded('/src/button.tsx', { isSelfAccepting: true, importers: [agent] })

  expect(reachesMaker([model], makers)).toBe(true)
  expect(reachesMaker([agent], makers)).toBe(true)
  expect(reachesMaker([view], makers)).toBe(false)
  expect(reachesMaker([button], makers)).toBe(false)
})

test('a view that makes an agent itself makes a second one when it changes', () => {
  const view = loaded('/src/chat.tsx', { isSelfAccepting: true })

  expect(reachesMaker([view], new Set(['/src/chat.tsx']))).toBe(true)
})

test('modules that import each other cause no endless walk', () => {
  const importers: DevelopedModule[] = []
  const first = loaded('/src/a.ts', { importers })
  importers.push(loaded('/src/b.ts', { importers: [first] }))

  expect(reachesMaker([first], new Set())).toBe(false)
})

function loaded(id: string, more: Partial<DevelopedModule>): DevelopedModule {
  return { id, url: id, importers: [], ...more }
}
