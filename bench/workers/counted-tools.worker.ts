import { implement, serveTools } from '../../packages/core/src/worker.ts'
import { benchTool } from './bench-tool.ts'
import { countMessages } from './count-messages.ts'

/** Counts from before the first message. */
const counted = countMessages()

serveTools([
  implement(benchTool, async ({ how }, { onUpdate, yield: letOthers }) => {
    const [word, times = ''] = how.split(' ')
    for (let i = 1; i <= Number(times); i++) {
      onUpdate({ content: `update ${i}` })
      if (word === 'patiently' && i % 500 === 0) await letOthers()
    }
    return counted()
  }),
])
