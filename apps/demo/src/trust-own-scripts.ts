/**
 * A Trusted Types policy, which the page's content security policy requires: only scripts of the page's own origin may
 * be started, such as the tools' workers and the service worker. Imported first, because zod reads its settings when a
 * schema is made.
 */
import { config } from 'zod'

// Without this, zod tests whether it may run code from text, and the policy reports that in the console.
config({ jitless: true })

window.trustedTypes?.createPolicy('default', {
  createScriptURL(address) {
    const { origin, href } = new URL(address, location.href)
    if (origin !== location.origin) throw new TypeError(`${href} is no script of this page.`)
    return href
  },
})
