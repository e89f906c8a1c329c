/** The ways to an address that code in a worker has, as a script. */
export function waysOfWorker(outside: string): string {
  return `
const to = (name) => ${JSON.stringify(outside)} + 'worker-' + name + '?secret'
const nested = (code) => new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
const ways = {
  fetch: (url) => fetch(url, { mode: 'no-cors' }),
  cors: (url) => fetch(url),
  keepalive: (url) => fetch(url, { mode: 'no-cors', keepalive: true, method: 'POST', body: 'a' }),
  xhr: (url) => { const request = new XMLHttpRequest(); request.open('POST', url); request.send('a') },
  synchronous: (url) => { const request = new XMLHttpRequest(); request.open('GET', url, false); request.send() },
  websocket: (url) => new WebSocket(url.replace('http', 'ws')),
  socketStream: (url) => new WebSocketStream(url.replace('http', 'ws')).opened,
  transport: (url) => new WebTransport(url.replace('http:', 'https:')).ready,
  eventsource: (url) => new EventSource(url),
  import: (url) => import(url),
  scripts: (url) => importScripts(url),
  worker: (url) => new Worker(url),
  module: (url) => new Worker(url, { type: 'module' }),
  nested: (url) => nested('fetch(' + JSON.stringify(url) + ', { mode: "no-cors" })'),
  nestedScripts: (url) => nested('importScripts(' + JSON.stringify(url) + ')'),
  nestedImport: (url) => nested('import(' + JSON.stringify(url) + ')'),
  font: (url) => new FontFace('probe', 'url(' + url + ')').load(),
  filter: (url) => {
    const context = new OffscreenCanvas(9, 9).getContext('2d')
    context.filter = 'url(' + url + '#a)'
    context.fillRect(0, 0, 9, 9)
  },
  cache: (url) => caches.open('a').then((cache) => cache.add(url)),
  peer: (url) => new RTCPeerConnection({ iceServers: [{ urls: url.replace('http://', 'stun:') }] }).createOffer(),
  beacon: (url) => navigator.sendBeacon(url),
}
for (const [name, go] of Object.entries(ways)) try { go(to(name))?.catch?.(() => {}) } catch {}
setTimeout(() => postMessage({ type: 'done' }), 1500)
`
}

/** Those of a document, of which tools have none: what its policy and its sandbox stop. */
export function waysOfFrame(outside: string): string {
  return `
const to = (name) => ${JSON.stringify(outside)} + 'frame-' + name + '?secret'
const put = (tag, fields, parent = document.body ?? document.documentElement) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(fields)) element.setAttribute(name, value)
  parent.append(element)
  return element
}
const link = (rel, more) => (url) => put('link', { rel, href: url, ...more }, document.head)
const ways = {
  image: (url) => put('img', { src: url }),
  srcset: (url) => put('img', { srcset: url + ' 1x' }),
  poster: (url) => put('video', { poster: url }),
  video: (url) => put('video', { src: url, autoplay: '' }),
  audio: (url) => put('audio', { src: url, autoplay: '' }),
  track: (url) => put('track', { src: url, default: '' }, put('video', { src: url })),
  frame: (url) => put('iframe', { src: url }),
  object: (url) => put('object', { data: url }),
  embed: (url) => put('embed', { src: url }),
  script: (url) => put('script', { src: url }),
  module: (url) => put('script', { src: url, type: 'module' }),
  style: link('stylesheet'),
  icon: link('icon'),
  manifest: link('manifest'),
  prefetch: link('prefetch'),
  preloadImage: link('preload', { as: 'image' }),
  preloadFetch: link('preload', { as: 'fetch' }),
  preloadFont: link('preload', { as: 'font', crossorigin: '' }),
  modulepreload: link('modulepreload'),
  background: (url) => { put('p', { style: 'background: url(' + url + ')' }).textContent = 'a' },
  styleImport: (url) => { put('style', {}).textContent = '@import url(' + url + ');' },
  fontFace: (url) => new FontFace('probe', 'url(' + url + ')').load(),
  svg: (url) => { document.body.insertAdjacentHTML('beforeend', '<svg><image href="' + url + '"/><use href="' + url + '#a"/></svg>') },
  input: (url) => put('input', { type: 'image', src: url }),
  beacon: (url) => navigator.sendBeacon(url),
  fetch: (url) => fetch(url, { mode: 'no-cors' }),
  websocket: (url) => new WebSocket(url.replace('http', 'ws')),
  eventsource: (url) => new EventSource(url),
  form: (url) => { const form = put('form', { action: url }); form.submit() },
  formOut: (url) => { const form = put('form', { action: url, target: '_blank' }); form.submit() },
  popup: (url) => open(url),
  link: (url) => { put('a', { href: url, target: '_blank', ping: url + '&ping' }).click() },
  top: (url) => { top.location = url },
  parent: (url) => { parent.location = url },
  shared: (url) => new SharedWorker(url),
  worker: (url) => new Worker(url),
  worklet: (url) => CSS.paintWorklet.addModule(url),
  serviceWorker: (url) => navigator.serviceWorker.register(url),
}
for (const [name, go] of Object.entries(ways)) try { go(to(name))?.catch?.(() => {}) } catch {}
setTimeout(() => self.probed([]), 1500)
`
}
