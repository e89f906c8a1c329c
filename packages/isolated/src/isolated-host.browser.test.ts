import { type AgentEvent, checkTools, createAgent } from '@offthread/core'
import { fakeClock, say, call as scriptedCall, scriptedModel } from '@offthread/core/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { node } from '../../core/src/tools/fixtures/browser-commands.fixtures.ts'
import {
  callTo,
  createRecorder,
  type Recorder,
} from '../../core/src/tools/fixtures/calls.fixtures.ts'
import { hostContract } from '../../core/src/tools/host.contract.ts'
import { act, behaveIsolated } from './fixtures/isolated.fixtures.ts'
import { isolatedFrameHtml } from './frame-html.ts'
import { type IsolationOptions, inIsolation } from './isolated-host.ts'

const text = await node.isolatedTools()
const patience = { graceMs: 250 }

hostContract('inIsolation, in real frames', (clock) => {
  onTestFinished(noFrames)
  return inIsolation([behaveIsolated], { text }, { clock })
})

test('[P5] runs code without an origin, and without what only pages and secure contexts have', async () => {
  const { done } = call('show where it is')

  expect(await done).toMatchObject({
    result: { structuredContent: { origin: 'null', uuid: 'undefined', document: 'undefined' } },
  })
})

test('no other script sees, reaches or sends anything to the frame', async () => {
  const { execution } = call('loop for ever')
  await execution.ready
  const frames = [...document.querySelectorAll('iframe')]
  execution.close()

  expect(frames.length).toBeGreaterThan(0)
  for (const frame of frames) {
    expect(frame.getAttribute('sandbox')).toBe('allow-scripts')
    expect(frame).toMatchObject({ inert: true, referrerPolicy: 'no-referrer', tabIndex: -1 })
    expect(frame.getAttribute('aria-hidden')).toBe('true')
    expect(frame.style.display).toBe('none')
  }
})

test('[P7] [I39] [W9] passes on each of 2,000 words that are said at once before the end, as fast as a hidden page takes them', async () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  onTestFinished(() => void vi.restoreAllMocks())
  const recorder = createRecorder()

  const settlement = await run(inIsolation([act], { text }), 'say 2,000 words', recorder)

  expect(settlement).toMatchObject({ kind: 'returned' })
  const words = recorder.notices.flatMap((one) => (one.type === 'progress' ? [one.progress] : []))
  expect(words).toEqual(Array.from({ length: 2000 }, (_, i) => ({ status: `word ${i + 1}` })))
})

test('makes a frame for each call, and one for the self-test of the host', async () => {
  const host = inIsolation([act], { text })
  const made = countFrames()

  await checkTools(host)
  expect(made()).toBe(2)
  await Promise.all([run(host, 'forge an end'), run(host, 'forge an end')])

  expect(made()).toBe(4)
})

test('[P8] keeps a frame ready for the next call, without its code, and none for a second one', async () => {
  const load = vi.fn(async () => text)
  const host = inIsolation([act], { text: load }, { keep: 'spare' })
  await run(host, 'forge an end')
  await expect.poll(() => document.querySelectorAll('iframe[inert]')).toHaveLength(1)
  const [spare] = document.querySelectorAll('iframe[inert]')
  // Longer than the frame needs to say that it is there.
  await run(inIsolation([act], { text }), 'forge an end')
  expect(load).toHaveBeenCalledTimes(1)

  const execution = host.open(act, { graceMs: 250 })
  const settlement = await execution.run(callTo('act', { how: 'forge an end' }), createRecorder())

  expect(settlement).toEqual(returned('honest'))
  expect(spare?.isConnected).toBe(false)
  expect(load).toHaveBeenCalledTimes(2)
  host.release?.()
  await noFrames()
  const twice: IsolationOptions = JSON.parse('{ "keep": "reuse" }')
  expect(() => inIsolation([act], { text }, twice)).toThrow("keep must be 'fresh' or 'spare'")
})

test('[N6] an agent runs isolated tools as any other, and its log has their requests', async () => {
  const origin = await server()
  const network = { origins: [origin] }
  const agent = createAgent({
    model: scriptedModel(
      [
        scriptedCall('act', { how: 'ask', url: `${origin}/none` }),
        scriptedCall('act', { how: 'ask', url: 'https://elsewhere.example' }),
      ],
      [say('Asked.')],
    ),
    tools: inIsolation([act], { text }, { network }),
  })
  const events: AgentEvent[] = []
  agent.subscribe((event) => events.push(event))

  expect(await agent.prompt('Ask.')).toMatchObject({ reason: 'stop', text: 'Asked.' })

  const ends = events.filter((event) => event.type === 'tool_execution_end')
  expect(ends.map(({ outcome }) => outcome).toSorted()).toEqual(['failed', 'succeeded'])
  expect(events.filter((event) => event.type === 'tool_execution_start')).toMatchObject([
    { place: 'isolated' },
    { place: 'isolated' },
  ])
  const lines = events.flatMap((event) => (event.type === 'tool_log' ? event.lines : []))
  expect(lines.map((line) => line.text).toSorted()).toEqual([
    expect.stringMatching(/none: 404/),
    expect.stringMatching(/elsewhere.example: origin. /),
  ])
  await noFrames()
})

test('[I20] [P4] removes the frame of an endless loop, and the page continues', async () => {
  const { done, execution, recorder, clock } = call('loop for ever')
  await recorder.received('update')
  const beats = countBeats()

  execution.stop()
  clock.advance(250)

  expect(await done).toEqual({ kind: 'stopped', how: 'terminated' })
  await noFrames()
  const before = beats()
  await expect.poll(() => beats()).toBeGreaterThan(before + 20)
  expect(await call('forge an end').done).toEqual(returned('honest'))
})

test('an app that replaces its body ends no call', async () => {
  const { body } = document
  const recorder = createRecorder()
  const execution = inIsolation([behaveIsolated], { text }).open(behaveIsolated, {
    graceMs: 10_000,
  })
  const done = execution.run(callTo('behave', { how: 'return when stopped' }), recorder)
  await recorder.received('running')

  body.replaceWith(document.createElement('body'))
  document.body.replaceWith(body)
  execution.stop()

  expect(await done).toEqual({ kind: 'stopped', how: 'cooperative' })
})

const away: readonly (readonly [string, (frame: Element) => void])[] = [
  ['removes', (frame) => frame.remove()],
  // Its document is made again, without the code.
  ['moves', (frame) => document.body.append(frame)],
]

test.for(away)('[I15] crashes when the page %s its frame', async ([, take]) => {
  const { done, recorder } = call('loop for ever')
  await recorder.received('update')

  for (const frame of document.querySelectorAll('iframe[inert]')) take(frame)

  expect(await done).toEqual({
    kind: 'crashed',
    message: expect.stringContaining('The isolated frame was removed from the page'),
  })
})

test.for([
  // Either the relay or the page finds it out first.
  ['post garbage without end', 'posted more than'],
  ['throw in a timer', 'Thrown in a timer.'],
  ['close itself', 'closed its worker'],
])('[I15] crashes, and is removed: %s', async ([how = '', message]) => {
  const { done } = call(how)

  expect(await done).toEqual({ kind: 'crashed', message: expect.stringContaining(message ?? '') })
  await noFrames()
})

test('[I34] cannot be answered for by another call', async () => {
  const { done } = call('forge an end')

  expect(await done).toEqual(returned('honest'))
})

test('[I34] what is forged for guessed ids changes nothing', async () => {
  const { done, recorder } = call('forge what it can for guessed ids')

  expect(await done).toEqual(returned('honest'))
  expect(recorder.notices).toEqual([{ type: 'running' }])
})

test('[I34] accepts messages of no window, not even that of the frame', async () => {
  const { done, recorder } = call('forge an end')
  const forged = { type: 'settled', executionId: 'e1', settlement: returned('forged') }
  const stranger = addStranger(`parent.postMessage(${JSON.stringify(forged)}, '*')`)
  await stranger.loaded
  window.postMessage(forged, '*')

  expect(await done).toEqual(returned('honest'))
  expect(recorder.notices).toEqual([{ type: 'running' }])
})

test("[I34] a port of another script gets no worker: the frame accepts the page's alone", async () => {
  // The other script tries every frame beside it, all the time, to be there before the page.
  const stranger = addStranger(`
    const { port1, port2 } = new MessageChannel()
    const give = () => {
      for (let i = 0; i < parent.frames.length; i++) {
        const { port1, port2 } = new MessageChannel()
        const wire = new MessageChannel()
        port1.onmessage = ({ data }) => parent.postMessage({ stolen: data }, '*')
        parent.frames[i].postMessage('postMessage(1)', '*', [port2, wire.port2])
      }
      setTimeout(give)
    }
    give()
  `)
  await stranger.loaded
  const stolen: unknown[] = []
  const listener = ({ data }: MessageEvent) => {
    if (typeof data === 'object' && data !== null && 'stolen' in data) stolen.push(data)
  }
  window.addEventListener('message', listener)
  onTestFinished(() => window.removeEventListener('message', listener))

  expect(await call('forge an end').done).toEqual(returned('honest'))
  expect(stolen).toEqual([])
})

test('returns bytes out of the frame', async () => {
  const settlement = await call('return bytes').done

  const { artifacts = [] } = settlement.kind === 'returned' ? settlement.result : {}
  const texts = artifacts.map(({ data }) => new Blob([data]).text())
  expect(await Promise.all(texts)).toEqual(['a,b\n1,2\n', 'moved'])
})

test('reports that a compiled module cannot be passed in', async () => {
  const module = await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))
  const execution = inIsolation([act], { text }).open(act, { graceMs: 250 })

  const settlement = await execution.run(
    callTo('act', { how: 'forge an end' }, { module }),
    createRecorder(),
  )

  expect(settlement).toMatchObject({
    kind: 'crashed',
    message: expect.stringContaining('hand its bytes over'),
  })
})

test('[P5] sends nothing anywhere, whatever it tries', async () => {
  const evil = await server()

  expect(await call('send it anywhere', { url: evil }).done).toEqual(returned('tried'))

  expect(await node.requestsAt(evil)).toEqual([])
  // The server would have reported it.
  await fetch(`${evil}/fetch`)
  expect(await node.requestsAt(evil)).toHaveLength(1)
})

test.for([
  ['throw new RangeError("at the top")', 'RangeError: at the top'],
  ['const = 1', 'SyntaxError'],
  ['import "./other.js"', 'It must be one file that imports nothing.'],
  ['import "https://elsewhere.example/a.js"', 'It must be one file that imports nothing.'],
])('says why a script does not load: %s', async ([script = '', why = '']) => {
  const host = inIsolation([act], { text: script })

  await expect(host.open(act, { graceMs: 250 }).ready).rejects.toThrow(why)
  await noFrames()
})

test('names the tool that the script does not implement', async () => {
  const host = inIsolation([{ ...act, name: 'forgotten' }], { text })

  await expect(checkTools(host)).rejects.toThrow('does not implement "forgotten"')
})

test('does not count the self-test as time that the script takes', async () => {
  const clock = fakeClock()
  const execution = inIsolation([act], { text }, { clock, bootTimeoutMs: 250 }).open(act, patience)

  // The self-test has just started.
  clock.advance(250)

  await execution.ready
  execution.close()
  expect(clock.pending()).toBe(0)
})

test('waits for the script no longer than it may take', async () => {
  const clock = fakeClock()
  let isAsked = () => {}
  const asked = new Promise<void>((resolve) => (isAsked = resolve))
  const source = {
    text: () => {
      isAsked()
      return new Promise<never>(() => {})
    },
  }
  const execution = inIsolation([act], source, { clock, bootTimeoutMs: 250 }).open(act, patience)
  const done = execution.run(callTo('act', { how: 'forge an end' }), createRecorder())
  await asked

  clock.advance(249)
  expect(document.querySelectorAll('iframe[inert]').length).toBeGreaterThan(0)
  clock.advance(1)

  expect(await done).toEqual({
    kind: 'crashed',
    message: expect.stringMatching(/^The worker was not ready within 0.25 s: /),
  })
  expect(clock.pending()).toBe(0)
  await noFrames()
})

test('[W19] counts no time until a script that started before is ready', async () => {
  const clock = fakeClock()
  const scripts: ((script: string) => void)[] = []
  const source = { text: () => new Promise<string>((resolve) => scripts.push(resolve)) }
  const host = inIsolation([act], source, { clock, bootTimeoutMs: 250 })
  const [first, second] = [host.open(act, patience), host.open(act, patience)]
  await expect.poll(() => scripts).toHaveLength(2)

  clock.advance(249)
  scripts[0]?.(text)
  await first.ready
  clock.advance(249)
  scripts[1]?.(text)

  await second.ready
  first.close()
  second.close()
  expect(clock.pending()).toBe(0)
})

test('reads the script from its address, for each call', async () => {
  const origin = await server()
  const host = inIsolation([act], { url: `${origin}/tools.js` })

  expect(await run(host, 'forge an end')).toEqual(returned('honest'))
  expect(await run(host, 'forge an end')).toEqual(returned('honest'))

  expect((await node.requestsAt(origin)).filter((line) => line.endsWith('/tools.js'))).toHaveLength(
    2,
  )
})

test('says that there is no script at its address', async () => {
  const origin = await server({ '/app': '<!doctype html>' })

  await expect(checkTools(inIsolation([act], { url: `${origin}/none.js` }))).rejects.toThrow(
    '/none.js could not be loaded: status 404.',
  )
  await expect(checkTools(inIsolation([act], { url: `${origin}/app` }))).rejects.toThrow(
    '/app is no script but a page',
  )
})

test('compiles WebAssembly only where that is allowed', async () => {
  const script = `await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))\n${text}`
  const host = (wasm: boolean) => inIsolation([act], { text: script }, { wasm })

  await expect(checkTools(host(false))).rejects.toThrow('CompileError')
  await checkTools(host(true))
})

const strict =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; frame-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"

interface HostPage {
  readonly what: string
  readonly policy: string
  readonly frame?: string
  /** The reason why nothing runs on it. */
  readonly problem?: string
}
const hostPages: readonly HostPage[] = [
  { what: 'without inline scripts', policy: "script-src 'self'", problem: 'does not answer' },
  {
    what: 'with inline scripts and without blobs',
    policy: "script-src 'self' 'unsafe-inline'; worker-src blob:",
    problem: 'has no blob:, so serve isolatedFrameHtml()',
  },
  { what: 'with Trusted Types', policy: strict, problem: 'requires Trusted Types' },
  { what: 'with a frame of its own', policy: strict, frame: '/frame.html' },
  {
    what: 'that allows no frames',
    policy: strict.replace("frame-src 'self'", ''),
    frame: '/frame.html',
    problem: 'not answer',
  },
  {
    what: 'without the frame that it names',
    policy: strict,
    frame: '/nothing.html',
    problem: 'does not answer',
  },
]

test.concurrent.for(hostPages)('on a strict page $what', async (page, { expect }) => {
  const { policy, frame, problem } = page
  const origin = await node.startServer({ '/frame.html': isolatedFrameHtml() })
  const query = new URLSearchParams({ policy, ...(frame && { frame }) })

  const settlement = await settlementOf(`${origin}/strict?${query}`)
  await node.stopServer(origin)

  const expected = problem
    ? { kind: 'crashed', message: expect.stringContaining(problem) }
    : { result: { structuredContent: { origin: 'null' } } }
  expect(settlement).toMatchObject(expected)
})

test('a static frame without a sandbox runs nothing: it would run in the origin of its page', async () => {
  const { port1, port2 } = new MessageChannel()
  const frame = document.createElement('iframe')
  frame.srcdoc = isolatedFrameHtml()
  onTestFinished(() => frame.remove())
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
  document.body.append(frame)
  await loaded
  const answer = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
  })

  frame.contentWindow?.postMessage('postMessage(1)', '*', [port2, new MessageChannel().port2])

  expect(await answer).toEqual({
    type: 'failed',
    message: `The frame is not sandboxed: it has the origin ${location.origin}.`,
  })
})

function call(how: string, input: { readonly url?: string } = {}) {
  const clock = fakeClock()
  const recorder = createRecorder()
  const execution = inIsolation([act], { text }, { clock }).open(act, { graceMs: 250 })
  const done = execution.run(callTo('act', { how, ...input }), recorder)
  return { clock, recorder, execution, done }
}

function run(host: ReturnType<typeof inIsolation>, how: string, recorder?: Recorder) {
  return host.open(act, { graceMs: 250 }).run(callTo('act', { how }), recorder ?? createRecorder())
}

/** The frames of calls are removed here; that of a self-test removes itself. */
async function noFrames() {
  await expect.poll(() => document.querySelectorAll('iframe[inert]')).toHaveLength(0)
}

function countFrames() {
  let made = 0
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      made += [...addedNodes].filter((added) => added instanceof HTMLIFrameElement).length
    }
  })
  observer.observe(document.documentElement, { childList: true })
  onTestFinished(() => observer.disconnect())
  return () => made
}

function countBeats() {
  let beats = 0
  const timer = setInterval(() => {
    beats += 1
  }, 5)
  onTestFinished(() => clearInterval(timer))
  return () => beats
}

/** A frame on the page that belongs to another script. */
function addStranger(script: string) {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.srcdoc = `<script>${script}</script>`
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
  document.body.append(frame)
  onTestFinished(() => frame.remove())
  return { loaded }
}

async function server(pages?: Readonly<Record<string, string>>): Promise<string> {
  const origin = await node.startServer(pages)
  onTestFinished(() => node.stopServer(origin))
  return origin
}

/** What a page of another origin posts. */
async function settlementOf(url: string): Promise<unknown> {
  const frame = document.createElement('iframe')
  frame.src = url
  const listening = new AbortController()
  const settlement = new Promise((resolve) => {
    const listener = ({ data, source }: MessageEvent) => {
      if (source === frame.contentWindow) resolve(data)
    }
    window.addEventListener('message', listener, { signal: listening.signal })
  })
  document.body.append(frame)
  return settlement.finally(() => {
    listening.abort()
    frame.remove()
  })
}

function returned(words: string) {
  return { kind: 'returned', result: { content: [{ type: 'text', text: words }] } }
}
