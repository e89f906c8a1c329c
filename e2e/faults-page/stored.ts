import { createAgent, inWorkers, type SessionStorage } from '@offthread/core'
import { anthropic } from '@offthread/core/anthropic'
import { indexedDb } from '@offthread/core/indexeddb'
import type { DemoAgent } from '../../apps/demo/src/agent.ts'
import { createSession } from '../../apps/demo/src/session.ts'
import { showPage } from '../../apps/demo/src/show-page.tsx'
import { createDataStore } from '../../apps/demo/src/tools/tables.ts'
import { job } from './job.ts'

const parameters = new URLSearchParams(location.search)
const baseURL = parameters.get('model') ?? ''
const witness = parameters.get('witness') ?? ''
const sessionId = location.hash.slice(1)
const storage = acknowledging(indexedDb())

showPage(() => {
  const agent = createAgent({
    ...{ storage, sessionId },
    model: anthropic({ model: 'test', apiKey: null, baseURL }),
    retry: { baseMs: 100 },
    // A few exchanges are too long.
    compaction: { thresholdTokens: 60, summarize: () => 'What was said before.' },
    tools: inWorkers(
      [job],
      () => new Worker(new URL('./job.worker.ts', import.meta.url), { type: 'module' }),
    ),
  })
  Object.assign(window, { offthread: { agent, renders: new Map() }, storage })
  return createSession(agent as unknown as DemoAgent, {
    dev: false,
    store: createDataStore(),
    kept: { storage, sessionId },
  })
})

/** Reports what it has acknowledged as stored to the witness: the number and the type of each event. */
function acknowledging(storage: SessionStorage): SessionStorage {
  return {
    ...storage,
    append: async (id, position, events) => {
      await storage.append(id, position, events)
      // What is handed over in the last moment is not known to be stored.
      if (position.isLast) return
      const stored = events.map(({ seq, type }) => `${seq} ${type}`)
      navigator.sendBeacon(`${witness}/acknowledged`, stored.join('\n'))
    },
  }
}
