import { expect, test } from 'vitest'
import {
  type DevelopedModule,
  isInWorker,
  isOnlyInWorkers,
  isWorkerConstructor,
} from './only-in-workers.ts'

const page = loaded('/src/main.ts')
const script = loaded('/src/tools.worker.ts?worker_file&type=module')

test.for([
  ['the script of a worker', script],
  ['what it imports', loaded('/src/heavy.ts', script)],
  ['what that imports', loaded('/src/deep.ts', loaded('/src/heavy.ts', script))],
  [
    'what two workers import',
    loaded('/src/x.ts', script, loaded('/b.ts?type=classic&worker_file')),
  ],
] as const)('a change of %s does not concern the page', ([, module]) => {
  expect(isInWorker(module)).toBe(true)
  expect(isOnlyInWorkers(module)).toBe(true)
})

test('a change of a module that both import concerns both', () => {
  const shared = loaded('/src/tools.ts', page, script)

  expect(isInWorker(shared)).toBe(true)
  expect(isOnlyInWorkers(shared)).toBe(false)
})

test.for([page, loaded('/src/chat.ts', page)])(
  'a change of the page does not concern workers: %o',
  (module) => {
    expect(isInWorker(module)).toBe(false)
    expect(isOnlyInWorkers(module)).toBe(false)
  },
)

test('modules that import each other cause no endless walk', () => {
  const importers: DevelopedModule[] = [script]
  const first = { url: '/src/a.ts', importers }
  importers.push(loaded('/src/b.ts', first))

  expect(isOnlyInWorkers(first)).toBe(true)
})

test('recognises a module that starts a worker from a worker', () => {
  expect(isWorkerConstructor(loaded('/src/tools.worker.ts?worker', page))).toBe(true)
  expect(isWorkerConstructor(script)).toBe(false)
})

function loaded(url: string, ...importers: readonly DevelopedModule[]): DevelopedModule {
  return { url, importers }
}
