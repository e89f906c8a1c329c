import { starters } from './worker-script.ts'

/** The marks that the page has put into its storage, and the address that answers requests. */
export interface ProbeTarget {
  /** An address of the page. */
  readonly url: string
  /** Whether a request of the page to this address has just arrived: if so, a request that fails was stopped. */
  readonly isReachable: boolean
  /** The name of what the page has put into its storage, and of the `BroadcastChannel` on which it posts. */
  readonly mark: string
  /** Milliseconds in which everything has to be refused. */
  readonly deadlineMs: number
}

// In a document every browser reports which request a policy has stopped; in workers some do not. A report-only policy
// stops nothing.
const shared = `
const at = (name) => url + '?offthread-probe=' + name
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const stopped = new Set()
addEventListener('securitypolicyviolation', ({ blockedURI, disposition, effectiveDirective }) => {
  if (disposition !== 'enforce') return
  stopped.add(effectiveDirective).add(blockedURI.split('offthread-probe=')[1])
})
const until = async (isSo) => { while (!isSo()) await later(20) }
const never = () => new Promise(() => {})
// Those of the ways that were not refused in time.
const escapedOf = async (ways) => {
  const late = later(deadlineMs)
  const all = Object.entries(ways).map(([name, refused]) =>
    Promise.race([refused().then(() => []), late.then(() => [name])]))
  return (await Promise.all(all)).flat()
}
`

const ofFrame = `
const put = (tag, fields) => document.head.append(Object.assign(document.createElement(tag), fields))
const socketOf = (address) => address.replace(/^http/, 'ws')
const ways = {
  fetch: (to) => fetch(to, { mode: 'no-cors' }),
  xhr: (to) => { const request = new XMLHttpRequest(); request.open('GET', to); request.send() },
  websocket: (to) => { new WebSocket(socketOf(to)) },
  eventsource: (to) => { new EventSource(to) },
  beacon: (to) => { navigator.sendBeacon(to) },
  import: (to) => import(to),
  script: (to) => put('script', { src: to }),
  style: (to) => put('link', { rel: 'stylesheet', href: to }),
  font: (to) => new FontFace('probe', 'url(' + to + ')').load(),
  image: (to) => { new Image().src = to },
  media: (to) => { new Audio(to).load() },
  prefetch: (to) => put('link', { rel: 'prefetch', href: to }),
}
// Whether the way fails does not matter, only whether the policy reports it.
const stops = async (name, go) => {
  try { go(at(name))?.catch?.(() => {}) } catch {}
  await until(() => stopped.has(name))
}
const probes = Object.fromEntries(Object.entries(ways).map(([name, go]) => [name, () => stops(name, go)]))
if (!document.createElement('link').relList.supports('prefetch')) delete probes.prefetch
// The policy's report does not have the address of a frame.
probes.frame = async () => {
  put('iframe', { src: at('frame') })
  await until(() => stopped.has('frame-src'))
}
// Read only: a mark that is found was put there by the page.
probes.localStorage = async () => {
  try { if (localStorage.getItem(mark) === null) return } catch { return }
  await never()
}
probes.cookies = async () => {
  try { if (!document.cookie.includes(mark)) return } catch { return }
  await never()
}
escapedOf(probes).then(self.probed)
`

const ofWorker = `
// Where a worker gets no report of the policy, a failure must do: the same request of the page has arrived.
const probes = {
  fetch: async () => {
    try { await fetch(at('fetch'), { mode: 'no-cors' }) } catch {
      if (!isReachable) await until(() => stopped.has('fetch'))
      return
    }
    await never()
  },
}

// No policy stops the one, and what a worker of its own does is not tried.
const absent = { webrtc: ['RTCPeerConnection'], worker: ${JSON.stringify(starters)} }
for (const [name, globals] of Object.entries(absent)) probes[name] = async () => {
  if (globals.some((it) => it in self)) await never()
}

const openDatabase = () => new Promise((resolve) => {
  const request = indexedDB.open(mark)
  // The database of the page is there already.
  request.onupgradeneeded = () => request.transaction.abort()
  request.onerror = () => resolve(false)
  request.onsuccess = () => { request.result.close(); resolve(true) }
})
const storage = {
  indexedDB: openDatabase,
  opfs: () => navigator.storage.getDirectory().then((root) => root.getFileHandle(mark)).then(() => true),
  caches: () => caches.has(mark),
  cookies: () => cookieStore.get(mark).then((found) => found !== null),
}
for (const [name, holdsMark] of Object.entries(storage)) probes[name] = async () => {
  try { if (!await holdsMark()) return } catch { return }
  await never()
}

// The page posts on the channel, then a message that it has: an open channel delivers it soon after.
probes.broadcastChannel = async () => {
  let hasArrived = false
  const channel = new BroadcastChannel(mark)
  channel.onmessage = () => { hasArrived = true }
  const said = new Promise((resolve) => addEventListener('message', resolve, { once: true }))
  postMessage({ type: 'listening' })
  await said
  await later(100)
  channel.close()
  if (hasArrived || origin !== 'null') await never()
}
postMessage({ type: 'probed', escaped: await escapedOf(probes) })
`

/**
 * The code of the self-test, for the frame and for its worker. Each tries the ways out of its place, and says
 * which were not refused. The frame tries all that a policy decides about, also what only a document can do. A worker has
 * the policy of its frame, and it shows: its requests fail, though the same request of the page arrives.
 */
export function probeScripts(target: ProbeTarget): {
  readonly frame: string
  readonly worker: string
} {
  const given = `const { url, isReachable, mark, deadlineMs } = ${JSON.stringify(target)}`
  return { frame: `{${given}${shared}${ofFrame}}`, worker: `${given}${shared}${ofWorker}` }
}
