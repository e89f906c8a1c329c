import type { ToolHost } from '@offthread/core'
import { implement, inPage, inWorkers } from '@offthread/core'
import { hashFile, loadTable, monteCarlo, sqlQuery } from './definitions.ts'
import { devCrash, devFlood, devHuge, devSleep, devSpin } from './dev-definitions.ts'
import { executePlot } from './plot/execute-plot.ts'
import { plot } from './plot/plot-definition.ts'

/** The demo's tools, each with the place it runs in. `dev` adds those that misbehave. */
export function hostTools({ dev }: { readonly dev: boolean }): readonly ToolHost[] {
  const data = inWorkers(
    [loadTable, sqlQuery, monteCarlo, hashFile],
    () => new Worker(new URL('./data.worker.ts', import.meta.url), { type: 'module' }),
  )
  const page = inPage([implement(plot, executePlot)])
  if (!dev) return [data, page]
  const misbehaving = inWorkers(
    [devSleep, devSpin, devCrash, devFlood, devHuge],
    () => new Worker(new URL('./dev.worker.ts', import.meta.url), { type: 'module' }),
  )
  return [data, page, misbehaving]
}
