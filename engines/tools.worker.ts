import { implement, serveTools } from '../packages/core/src/worker.ts'
import { complain, loop, measure } from './tools.ts'

/** Where the loop counts its turns, if the page needs to see them. */
let turns: Int32Array = new Int32Array(1)
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data instanceof Int32Array) turns = data
})

serveTools([
  implement(measure, (input) => ({ chars: JSON.stringify(input).length })),
  implement(loop, (_, { onUpdate }) => {
    onUpdate({ content: 'looping' })
    for (;;) Atomics.add(turns, 0, 1)
  }),
  implement(complain, (_, { log }) => {
    const error = new RangeError('It is too long.')
    console.error('by console:', error)
    log('by log:', error)
    return 'complained'
  }),
])
