import './trust-own-scripts.ts'
import { createDemoAgent } from './agent.ts'
import { fitAboveKeyboard } from './fit-above-keyboard.ts'
import { openKept } from './open-kept.ts'
import { countRenders } from './render-report.ts'
import { createSession } from './session.ts'
import { showPage } from './show-page.tsx'
import { createToolCheck } from './tools/check-hosts.ts'
import { hostTools } from './tools/host-tools.ts'
import { createDataStore } from './tools/tables.ts'

const options = {
  ...readPageOptions(location.search),
  store: createDataStore(),
  kept: openKept(),
}
const showProblem = showPage(() => {
  const agent = createDemoAgent(options)
  if (options.dev) Object.assign(window, { offthread: { agent, renders: countRenders() } })
  return createSession(agent, options)
})

fitAboveKeyboard()
// The address names the chat, so another one needs another page.
addEventListener('hashchange', () => location.reload())

if (import.meta.env.PROD) {
  addEventListener('load', () => {
    // Without a service worker the page works, too, but needs the network to open.
    navigator.serviceWorker?.register('/service-worker.js').catch(() => undefined)
  })
}

if (import.meta.env.DEV) {
  const check = createToolCheck(hostTools(options), showProblem)
  check()
  // The page is not reloaded when a worker's code changes, and the change may correct the problem.
  import.meta.hot?.on('offthread:workers-changed', check)
}

/** Reads `?dev`, which adds tools that misbehave, and `&delay=0`: the milliseconds between pieces of an answer. */
function readPageOptions(search: string) {
  const parameters = new URLSearchParams(search)
  const dev = parameters.has('dev')
  const delay = Number(parameters.get('delay') ?? Number.NaN)
  return { dev, ...(dev && Number.isFinite(delay) && delay >= 0 && { delayMs: delay }) }
}
