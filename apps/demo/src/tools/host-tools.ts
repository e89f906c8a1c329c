import { implement, inPage, inWorkers, type ToolCallView } from '@offthread/core'
import { dataTools } from './data-tools.ts'
import { monteCarlo } from './definitions.ts'
import * as misbehaving from './dev-definitions.ts'
import { renderFractal } from './fractal/render-fractal-definition.ts'
import { plot } from './plot/plot-definition.ts'
import type { DataStore } from './tables.ts'
import { yourTools } from './your-tools.ts'

interface HostOptions {
  /** Adds tools that misbehave. */
  readonly dev: boolean
  /** Where calls find their files and tables. */
  readonly store: Pick<DataStore, 'getState' | 'arrived'>
}

export type DemoTool = ReturnType<typeof hostTools>[number]['tools'][number]

/** A call of one of the demo's tools. Its `toolName` gives `args` and `output` their types. */
export type DemoCall = ToolCallView<DemoTool>

/** The demo's tools, each with the place it runs in. */
export function hostTools({ dev, store }: HostOptions) {
  const data = inWorkers(
    [...Object.values(dataTools(store)), monteCarlo, renderFractal],
    () => new Worker(new URL('./data.worker.ts', import.meta.url), { type: 'module' }),
  )
  const ofDevelopers = inWorkers(
    Object.values(misbehaving),
    () => new Worker(new URL('./dev.worker.ts', import.meta.url), { type: 'module' }),
  )
  const page = inPage([implement(plot, () => import('./plot/execute-plot.lazy.ts'))])
  return [data, page, ...yourTools, ...(dev ? [ofDevelopers] : [])]
}
