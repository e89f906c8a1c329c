/**
 * Makes the page work without a network, once it was opened: keeps the files of the build, and nothing else. What the
 * user asks a model goes past it.
 */
declare const self: ServiceWorkerGlobalScope
/** Written in by the build: the addresses of its files, and a name that changes with them. */
declare const files: readonly string[]
declare const version: string

const cacheName = `page-${version}`
const known = new Set(files)

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)))
})

self.addEventListener('activate', (event) => {
  // A page that was opened before there was a service worker is offline, too, from now on.
  event.waitUntil(removeOthers().then(() => self.clients.claim()))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') event.respondWith(newestPage(request))
  else if (known.has(pathname)) event.respondWith(kept(request))
})

/** The page of the server, so that a new version is there with the next visit; without a network the one that is kept. */
function newestPage(request: Request): Promise<Response> {
  return fetch(request).catch(() => kept('/index.html'))
}

async function kept(request: RequestInfo): Promise<Response> {
  const cache = await caches.open(cacheName)
  // Some servers vary by origin, which the requests of the installation do not send.
  return (await cache.match(request, { ignoreSearch: true, ignoreVary: true })) ?? fetch(request)
}

async function removeOthers(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith('page-') && name !== cacheName) await caches.delete(name)
  }
}
