interface ProbeTarget {
  /** An address that would answer, if a request got out. */
  readonly url: string
  /** The `BroadcastChannel` on which the page speaks. */
  readonly channel: string
  /** Milliseconds in which everything has to be refused. */
  readonly deadlineMs: number
}

/**
 * The code of the self-test. It is loaded as a tool's code is, tries every way out that a worker has, and posts
 * the names of those that were not refused. The way to the page is none of them: only the frame itself has a `parent`,
 * and its script looks (`frame-script.ts`).
 *
 * A request that fails proves nothing: the network may be down. So a way to the network counts as closed only when
 * the browser says that a policy stopped that very request.
 */
export function probeScript(target: ProbeTarget): string {
  return `const { url, channel, deadlineMs } = ${JSON.stringify(target)}\n${probes}`
}

const probes = `
const at = (name) => url + '?offthread-probe=' + name
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const blocked = new Map()
const policy = (name) => new Promise((resolve) => blocked.set(name, resolve))
addEventListener('securitypolicyviolation', ({ blockedURI }) => {
  const name = /^wss?\\b/.test(blockedURI) ? 'websocket' : blockedURI.split('offthread-probe=')[1]
  blocked.get(name)?.()
})

const ways = {
  fetch: (to) => fetch(to, { mode: 'no-cors' }),
  xhr: (to) => { const request = new XMLHttpRequest(); request.open('GET', to); request.send() },
  websocket: (to) => { new WebSocket(to.replace(/^http/, 'ws')) },
  eventsource: (to) => { new EventSource(to) },
  import: (to) => import(to),
  importScripts: (to) => importScripts(to),
}
// Whether the way fails does not matter, only whether the policy speaks.
const tryWay = async ([name, go]) => {
  const stopped = policy(name)
  try { go(at(name))?.catch?.(() => {}) } catch {}
  await stopped
}

// A worker in the worker: none from an address, and one from a blob cannot do more than its parent.
const nested = async () => {
  const stopped = policy('worker')
  const byUrl = new Promise((resolve) => {
    try { new Worker(at('worker')).onmessage = null; stopped.then(resolve) } catch { resolve() }
  })
  const code = "addEventListener('securitypolicyviolation', () => postMessage(0));" +
    'fetch(' + JSON.stringify(at('nested')) + ", { mode: 'no-cors' }).catch(() => {})"
  const byBlob = new Promise((resolve) => {
    try {
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
      worker.onmessage = worker.onerror = () => { worker.terminate(); resolve() }
    } catch { resolve() }
  })
  await Promise.all([byUrl, byBlob])
}

// Here failing is what has to happen.
const fails = (go) => async () => {
  try { await go() } catch { return }
  await new Promise(() => {})
}
const openDatabase = () => new Promise((resolve, reject) => {
  const request = indexedDB.open('offthread-probe')
  request.onerror = reject
  request.onsuccess = () => {
    request.result.close()
    indexedDB.deleteDatabase('offthread-probe')
    resolve()
  }
})
const storage = {
  indexedDB: fails(openDatabase),
  opfs: fails(() => navigator.storage.getDirectory()),
  caches: fails(() => caches.has('offthread-probe')),
  cookies: fails(() => cookieStore.get('offthread-probe')),
}

// The page speaks on the channel, then says over the port that it has: what was to be heard is heard soon after.
const broadcastChannel = async () => {
  let heard = false
  const ear = new BroadcastChannel(channel)
  ear.onmessage = () => { heard = true }
  const said = new Promise((resolve) => addEventListener('message', resolve, { once: true }))
  postMessage({ type: 'listening' })
  await said
  await later(100)
  ear.close()
  if (heard || origin !== 'null') await new Promise(() => {})
}

const all = {
  ...Object.fromEntries(Object.entries(ways).map((way) => [way[0], () => tryWay(way)])),
  worker: nested,
  ...storage,
  broadcastChannel,
}
const late = later(deadlineMs)
const escaped = await Promise.all(Object.entries(all).map(([name, probe]) =>
  Promise.race([probe().then(() => []), late.then(() => [name])])))
postMessage({ type: 'probed', escaped: escaped.flat() })
`
