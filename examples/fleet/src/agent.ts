// The agent of every device. One of them does the work, the others follow it, and any may take over.
import { wsconnect } from '@nats-io/nats-core'
import { createAgent } from '@offthread/core'
import { indexedDb } from '@offthread/core/indexeddb'
import { inFleet } from '@offthread/fleet'
import { nats } from '@offthread/nats'
import { alsoOffline } from '@offthread/nats/offline'
import { model } from './model.ts'
import { countPrimes } from './tools.ts'

const servers = String(import.meta.env['VITE_NATS'])
const connect = () => wsconnect({ servers, maxReconnectAttempts: -1 })

export const agent = createAgent({
  model,
  tools: inFleet([countPrimes], connect),
  // What was done without the server may be a session of its own: see main.tsx.
  sessionId: new URLSearchParams(location.search).get('session') ?? 'shared',
  // With `indexedDb()` alone the same page keeps the session in its browser, for the tabs of that browser.
  storage: alsoOffline(nats({ connect }), indexedDb()),
})
