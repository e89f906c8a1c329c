// The agent of every device. One of them does the work, the others follow it, and any may take over.
import { wsconnect } from '@nats-io/nats-core'
import { createAgent } from '@offthread/core'
import { nats } from '@offthread/core/nats'
import { inFleet } from '@offthread/fleet'
import { model } from './model.ts'
import { countPrimes } from './tools.ts'

const servers = String(import.meta.env['VITE_NATS'])
const connect = () => wsconnect({ servers, maxReconnectAttempts: -1 })

export const agent = createAgent({
  model,
  tools: inFleet([countPrimes], connect),
  sessionId: 'shared',
  // With `indexedDb()` here the same page keeps the session in its browser, for the tabs of that browser.
  storage: nats({ connect }),
})
