import { indexedDb } from '@offthread/core/indexeddb'
import type { Kept } from './agent.ts'

/** Keeps the conversation of this page in the browser, or in memory where the browser keeps nothing. */
export function openKept(): Kept {
  return { storage: indexedDb(), sessionId: sessionOfPage() }
}

/** The address of a new chat: the one of the page without a name. */
export function newChatAddress(): string {
  return `${location.pathname}${location.search}`
}

/** The name of the conversation is in the address, so that a reload and a bookmark open it again. */
function sessionOfPage(): string {
  if (location.hash.length < 2) history.replaceState(null, '', `#${newName()}`)
  return location.hash.slice(1)
}

/** `crypto.randomUUID` would need https. */
function newName(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join(
    '',
  )
}
