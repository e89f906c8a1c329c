/**
 * What the page's policy asks before a script is started by its address: only the page's own are. The tools' workers
 * and the service worker are all there is. Imported first, because zod looks at its settings when a schema is made.
 */
import { config } from 'zod'

// zod tries whether it may make code of text, which the policy refuses in the console.
config({ jitless: true })

window.trustedTypes?.createPolicy('default', {
  createScriptURL(address) {
    const { origin, href } = new URL(address, location.href)
    if (origin !== location.origin) throw new TypeError(`${href} is no script of this page.`)
    return href
  },
})
