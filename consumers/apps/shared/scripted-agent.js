import { createAgent } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'

/** Asks for each tool once: the one that computes, the lazy one, the one that never ends. */
export function createScriptedAgent(tools) {
  const model = scriptedModel(
    [call('sum_below', { n: 1000 }), call('double', { n: 21 })],
    [say('Both are done.')],
    [call('loop_forever')],
  )
  return createAgent({ model, tools })
}
