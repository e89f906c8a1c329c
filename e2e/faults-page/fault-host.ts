import { inWorkers, type Tool } from '@offthread/core'
import { faultTool } from '../../packages/core/src/tools/fixtures/faults.fixtures.ts'
import type { FaultsPageOptions, WrongWorker } from './page-options.ts'

type Options = Pick<
  FaultsPageOptions,
  'worker' | 'schema' | 'bootTimeoutMs' | 'timeoutMs' | 'maxSilenceMs'
>

/** The faulty tool, in its own worker or in a faulty one. Every worker is added to `started`. */
export function faultHost(options: Options, started: Worker[]) {
  const { worker, schema, bootTimeoutMs, timeoutMs, maxSilenceMs } = options
  const tool = faultTool({
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxSilenceMs !== undefined && { maxSilenceMs, timeoutMs: null }),
  })
  const spawn = worker === undefined ? startFaults : startWrong[worker]
  return inWorkers(
    [schema === undefined ? tool : withValidation(tool, validations[schema])],
    () => {
      const one = spawn()
      started.push(one)
      return one
    },
    bootTimeoutMs === undefined ? {} : { bootTimeoutMs },
  )
}

const startFaults = () =>
  new Worker(
    new URL('../../packages/core/src/tools/fixtures/faults.fixtures.worker.ts', import.meta.url),
    { type: 'module' },
  )

const startWrong: Readonly<Record<WrongWorker, () => Worker>> = {
  page: () => startText('<!doctype html>', 'text/html'),
  syntax: () => startText('const = 1'),
  import: () => startText(`import { no } from '${location.origin}/no.js'`),
  silent: () =>
    new Worker(
      new URL('../../packages/core/src/tools/fixtures/silent.fixtures.worker.ts', import.meta.url),
      { type: 'module' },
    ),
  other: () =>
    new Worker(new URL('../../apps/demo/src/tools/dev.worker.ts', import.meta.url), {
      type: 'module',
    }),
  foreign: () => new Worker('https://cdn.example/tools.worker.js', { type: 'module' }),
  classic: () => startText(`import '${location.origin}/no.js'`, 'text/javascript', {}),
}

function startText(
  text: string,
  type = 'text/javascript',
  options: WorkerOptions = { type: 'module' },
): Worker {
  return new Worker(URL.createObjectURL(new Blob([text], { type })), options)
}

const validations: Readonly<Record<'throws' | 'hangs', () => Promise<never>>> = {
  throws: () => {
    throw new Error('No such rule.')
  },
  hangs: () => new Promise(() => {}),
}

function withValidation(tool: Tool, validate: () => Promise<never>): Tool {
  return {
    ...tool,
    inputSchema: { '~standard': { ...tool.inputSchema['~standard'], validate } },
  }
}
