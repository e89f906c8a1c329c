import { createAgent, type Model, type ModelRequest } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import type { DemoAgent } from '../../apps/demo/src/agent.ts'
import { plannerModel } from '../../apps/demo/src/model/planner-model.ts'
import { createSession } from '../../apps/demo/src/session.ts'
import { showPage } from '../../apps/demo/src/show-page.tsx'
import { hostTools } from '../../apps/demo/src/tools/host-tools.ts'
import { createDataStore } from '../../apps/demo/src/tools/tables.ts'
import { faultHost } from './fault-host.ts'
import { readFaultsPageOptions } from './page-options.ts'

const options = readFaultsPageOptions(location.search)
const { maxConcurrency, maxCallsPerTurn } = options
const requests: ModelRequest[] = []
const workers: Worker[] = []

showPage(() => {
  const store = createDataStore()
  const host = faultHost(options, workers)
  const agent = createAgent({
    model: remembering(options.stubborn ? stubbornModel() : plannerModel({ delayMs: 0 })),
    tools: [...hostTools({ dev: true, store }), host, ...(options.twice ? [host] : [])],
    abortGraceMs: 50,
    ...(options.stubborn && { maxTurns: null }),
    ...(options.schema !== undefined && { hookTimeoutMs: 100 }),
    ...(maxConcurrency !== undefined && { maxConcurrency }),
    ...(maxCallsPerTurn !== undefined && { maxCallsPerTurn }),
  })
  Object.assign(window, { offthread: { agent, renders: new Map() }, requests, workers })
  // Its cards show a tool that the page does not know by its name and text.
  return createSession(agent as DemoAgent, { dev: true, store, delayMs: 0 })
})

/** The model, which records all that it is given to read. */
function remembering(model: Model): Model {
  return {
    ...model,
    stream: (request, streamOptions) => {
      requests.push(request)
      return model.stream(request, streamOptions)
    },
  }
}

function stubbornModel(): Model {
  const again = [call('fault', { how: 7 })]
  return scriptedModel(...Array.from({ length: 10 }, () => again), [say('I stop here.')])
}
