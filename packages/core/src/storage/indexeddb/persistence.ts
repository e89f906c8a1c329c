import type { Lasting } from '../port.ts'

/** Whether the browser keeps what the origin stores even if space is short. `'ask'`: asks it to, which may ask the user. */
export async function persistence(mode: 'look' | 'ask'): Promise<Lasting> {
  // Only a page that came by https has this API.
  if (!('navigator' in globalThis && 'storage' in navigator)) return 'best-effort'
  const { storage } = navigator
  const isPersistent = mode === 'ask' ? await storage.persist() : await storage.persisted()
  return isPersistent ? 'persistent' : 'best-effort'
}
