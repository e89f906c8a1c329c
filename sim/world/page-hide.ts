import type { Scope } from './timeline.ts'

/** The functions of each page that are called when it goes away. Node has no such event of its own. */
const registered = new Map<Scope, Set<Listener>>()
type Listener = (event: { readonly persisted: boolean }) => void
let current: Scope = { gone: true }

/**
 * Listeners that are registered from now on are those of this page. Installed each time, because another copy of the
 * simulation may run beside this one.
 */
export function registeringIn(scope: Scope): void {
  current = scope
  Object.assign(globalThis, pageEvents)
}

/** Calls what a page does when it goes away. `persisted`: the browser may keep it for later. */
export function hide(scope: Scope, persisted: boolean): void {
  for (const listener of registered.get(scope) ?? []) listener({ persisted })
}

/** The page is gone. */
export function forget(scope: Scope): void {
  registered.delete(scope)
}

const pageEvents = {
  addEventListener: (type: string, listener: Listener) => {
    if (type !== 'pagehide' || current.gone) return
    const listeners = registered.get(current) ?? new Set()
    registered.set(current, listeners.add(listener))
  },
  removeEventListener: (_type: string, listener: Listener) => {
    for (const listeners of registered.values()) listeners.delete(listener)
  },
}
