import { implement, serveTools } from '@offthread/core/worker'
import { job } from './job.ts'

serveTools([
  implement(job, async ({ ms, witness }, { toolCallId, signal, onProgress, onUpdate, log }) => {
    await fetch(`${witness}/ran`, { method: 'POST', mode: 'no-cors', body: toolCallId })
    onProgress('working')
    log('It runs.')
    onUpdate({ content: 'Half of it.' })
    await new Promise<void>((resolve, reject) => {
      setTimeout(resolve, ms)
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    return `Done: ${toolCallId}`
  }),
])
