import { inWorkers } from '@offthread/core'
import { createScriptedAgent } from './scripted-agent.js'
import { double, loopForever, sumBelow } from './tools.js'

export const agent = createScriptedAgent(
  inWorkers(
    [sumBelow, double, loopForever],
    () => new Worker(new URL('./tools.worker.js', import.meta.url), { type: 'module' }),
  ),
)
