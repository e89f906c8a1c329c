import { implement, serveTools } from '@offthread/core/worker'
import { double, loopForever, sumBelow } from './tools.js'

serveTools([
  implement(sumBelow, ({ n }) => {
    let sum = 0
    for (let i = 0; i < n; i++) sum += i
    return { sum }
  }),
  implement(double, () => import('./heavy.lazy.js')),
  implement(loopForever, () => {
    // It has an effect, because Rollup removes a loop without one.
    for (;;) globalThis.turns = 1
  }),
])
