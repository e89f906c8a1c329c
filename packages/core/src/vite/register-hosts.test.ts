import { expect, test } from 'vitest'
import { registerHosts } from './register-hosts.ts'

test('a module still calls inWorkers, and the page gets the hosts that it makes', () => {
  const code = `import { createAgent, inWorkers, type Agent } from '@offthread/core'\nuse(inWorkers([]))`

  expect(registerHosts(code)).toBe(`\
import { createAgent, inWorkers as __offthreadInWorkers, type Agent } from '@offthread/core'
use(inWorkers([]))
;import { register as __offthreadRegister } from 'virtual:offthread/hosts'
function inWorkers(...given) { return __offthreadRegister(__offthreadInWorkers(...given)) }
`)
})

test('also under another name, and over several lines', () => {
  const code = `import {\n  inWorkers as start,\n} from "@offthread/core";\nstart([])`

  expect(registerHosts(code)).toContain('function start(...given)')
  expect(registerHosts(code)?.split('\n').slice(0, 4)).toEqual([
    'import {',
    '  inWorkers as __offthreadInWorkers,',
    '} from "@offthread/core";',
    'start([])',
  ])
})

test.for([
  "import { createAgent } from '@offthread/core'",
  "import { inWorkers } from './in-workers.ts'",
  "import { inWorkersOnly } from '@offthread/core'",
  "// import { inWorkers } from '@offthread/core'",
  'export const inWorkers = 1',
])('leaves %s as it is', (code) => {
  expect(registerHosts(code)).toBeUndefined()
})
