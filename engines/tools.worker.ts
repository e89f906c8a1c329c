import { implement, serveTools } from '../packages/core/src/worker.ts'
import { complain, loop, measure } from './tools.ts'

serveTools([
  implement(measure, (input) => ({ chars: JSON.stringify(input).length })),
  implement(loop, (_, { onUpdate }) => {
    onUpdate({ content: 'looping' })
    for (;;);
  }),
  implement(complain, (_, { log }) => {
    const error = new RangeError('It is too long.')
    console.error('by console:', error)
    log('by log:', error)
    return 'complained'
  }),
])
