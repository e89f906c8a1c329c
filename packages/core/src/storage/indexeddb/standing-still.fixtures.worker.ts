import type { DurableEvent } from '../../kernel/events.ts'
import { indexedDb } from './indexed-db.ts'

/** Owns a session, and stands still as soon as it has asked for what it was sent. Says so, and when it goes on. */
export interface Standstill {
  readonly name: string
  readonly request: 'append' | 'read'
  readonly ms: number
}

self.onmessage = async ({ data: { name, request, ms } }: MessageEvent<Standstill>) => {
  const storage = indexedDb({ name })
  const claim = await storage.claim('one', 'if-free')
  if (!claim) throw new Error('The session is not free.')
  const { epoch } = claim
  await storage.append('one', { epoch, head: 0 }, [eventAt(0)])
  const requested =
    request === 'append'
      ? storage.append('one', { epoch, head: 1 }, [eventAt(1)])
      : storage.read('one')
  // Requests are made in microtasks; their answers are tasks.
  for (let index = 0; index < 50; index++) await Promise.resolve()
  self.postMessage('stands still')
  const until = performance.now() + ms
  while (performance.now() < until);
  await requested
  self.postMessage('goes on')
}

function eventAt(seq: number): DurableEvent {
  const place = { seq, ts: seq, sessionId: 'one', runId: null, turn: 0 }
  return { v: 1, ...place, type: 'warning', code: 'test', message: `event ${seq}` }
}
