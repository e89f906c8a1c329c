/** The module of the page that lists every `inWorkers` of it. */
export const hostsModule = 'virtual:offthread/hosts'

/** Sent by the dev server when the code of workers has changed. */
export const changedEvent = 'offthread:workers-changed'

/** A host is forgotten with the module that made it. */
export const hostsModuleCode: string = `
const hosts = new Set()

export function register(host) {
  hosts.add(new WeakRef(host))
  return host
}

import.meta.hot?.on('${changedEvent}', () => {
  for (const reference of hosts) {
    const host = reference.deref()
    if (host) host.release?.()
    else hosts.delete(reference)
  }
  // Vite removes its report of an error when it updates the page. Here no update follows.
  for (const overlay of document.querySelectorAll('vite-error-overlay')) overlay.close()
})
`
