import {
  type Agent,
  type AgentEvent,
  type AgentState,
  createAgent,
  inWorkers,
} from '../packages/core/src/index.ts'
import { indexedDb } from '../packages/core/src/indexeddb.ts'
import { call, type ScriptedAnswer, say, scriptedModel } from '../packages/core/src/testing.ts'
import { callTo, createRecorder } from '../packages/core/src/tools/fixtures/calls.fixtures.ts'
import { act } from '../packages/isolated/src/fixtures/isolated.fixtures.ts'
import { waysOfFrame, waysOfWorker } from '../packages/isolated/src/fixtures/ways-out.fixtures.ts'
import { frameHtml, isolatedFrameHtml } from '../packages/isolated/src/frame-html.ts'
import { frameScript } from '../packages/isolated/src/frame-script.ts'
import { isObject } from '../packages/isolated/src/is-object.ts'
import { inIsolation } from '../packages/isolated/src/isolated-host.ts'
import { maxMessagesPerSecond } from '../packages/isolated/src/relay-script.ts'
import { testIsolation } from '../packages/isolated/src/self-test.ts'
import { floodWithAll } from './floods.ts'
import { runRaw } from './run-raw.ts'
import { require, runTrials, type Trials } from './run-trials.ts'
import { complain, loop, measure } from './tools.ts'

const given = new URLSearchParams(location.search)
/** Where nothing may arrive. */
const outside = given.get('outside') ?? ''
const assets = given.get('assets') ?? ''
/** Pages with a policy; that of the second allows the assets in `worker-src`, that of the third no worker. */
const strict = given.getAll('strict')
const isolated = { url: '/isolated.js' }

const trials: Trials = {
  'four tools in workers': async () => {
    const answer = [1, 2, 3, 4].map((n) => call('measure', { n }))
    const { events } = await ask(answer)
    const ends = events.filter((event) => event.type === 'tool_execution_end')
    require(ends.filter(({ outcome }) => outcome === 'succeeded').length === 4, ends)
    return ''
  },
  'Stop of an endless loop': async () => {
    const startedAt = performance.now()
    const { reason } = await ask([call('loop', {})], 'tool_execution_update')
    require(reason === 'aborted', reason)
    return `${Math.round(performance.now() - startedAt)} ms`
  },
  'a flood of messages of any kind ends its call': floodWithAll,
  'an error that is logged keeps its name and message': async () => {
    const { events } = await ask([call('complain', {})])
    const lines = events.flatMap((event) => (event.type === 'tool_log' ? event.lines : []))
    for (const by of ['by console: ', 'by log: ']) {
      const line = lines.find(({ text }) => text.startsWith(by))
      require(line?.text.startsWith(`${by}RangeError: It is too long.`), lines)
    }
    return ''
  },
  'a worker that cannot start says what to write': async () => {
    const foreign = await textOfCall(() => new Worker(`${assets}tools.js`, { type: 'module' }))
    require(foreign.includes('crossOriginWorker'), foreign)
    const classic = await textOfCall(() => {
      const worker = new Worker('/module.js')
      // It is reported to the window as well, which ends the trials.
      worker.addEventListener('error', (event) => event.preventDefault())
      return worker
    })
    require(classic.includes("type: 'module'"), classic)
    const isTold = foreign.includes('must come from') && classic.includes('The script is a module')
    return isTold ? '' : 'among all that may be wrong'
  },
  'a session is kept, followed and taken over': async () => {
    const owner = await openSession()
    const follower = await openSession()
    require(follower.getState().access === 'follower', follower.getState().access)
    await owner.prompt('Go.')
    await until(follower, ({ messages }) => messages.length === 2)
    await follower.takeOver()
    await until(owner, ({ access }) => access === 'follower')
    await follower.prompt('On.')
    await until(owner, ({ messages }) => messages.length === 4)
    await follower.stored()
    for (const one of [owner, follower]) one.dispose()
    const again = await openSession()
    require(again.getState().messages.length === 4, again.getState().messages)
    again.dispose()
    return ''
  },
  'assets of another origin': async () => {
    const [without, allowed, forbidden] = await Promise.all(
      strict.map((page) => settlementAt(page)),
    )
    require(JSON.stringify(forbidden).includes('worker-src, '), forbidden)
    require(isObject(allowed) && allowed['kind'] === 'returned', allowed)
    if (isObject(without) && without['kind'] === 'returned') return ''
    require(JSON.stringify(without).includes('script-src and worker-src of the CSP.'), without)
    return 'need their origin in worker-src'
  },
  'a page without an origin': async () => {
    const settlement = await settlementAt(assets, 'allow-scripts')
    require(isObject(settlement) && settlement['kind'] === 'returned', settlement)
    return ''
  },
  'isolated: the self-test passes': async () => {
    const startedAt = performance.now()
    await inIsolation([act], isolated).check()
    return `${Math.round(performance.now() - startedAt)} ms`
  },
  'isolated: it finds a frame without a policy': async () => {
    const problem = await problemOf(frameHtml(frameScript, ''))
    require(problem.includes('lets out: fetch, ') && problem.includes('font, image'), problem)
    return ''
  },
  'isolated: without a network it does not guess': async () => {
    const { fetch } = globalThis
    globalThis.fetch = () => Promise.reject(new TypeError('There is no network.'))
    const problem = await problemOf(isolatedFrameHtml()).finally(() => {
      globalThis.fetch = fetch
    })
    require(problem === '' || problem.includes('could not be tested: the page has no'), problem)
    return problem === '' ? 'passes' : 'could not be tested'
  },
  'isolated: a call': async () => {
    const settlement = await runIsolated('return bytes')
    require(settlement.kind === 'returned' && settlement.result.artifacts?.length === 2, settlement)
    return ''
  },
  'isolated: Stop of an endless loop': async () => {
    const execution = inIsolation([act], isolated).open(act, { graceMs: 250 })
    const recorder = createRecorder()
    const done = execution.run(callTo('act', { how: 'loop for ever' }), recorder)
    await recorder.received('update')
    const startedAt = performance.now()
    execution.stop()
    const settlement = await done
    require(settlement.kind === 'stopped', settlement)
    return `${Math.round(performance.now() - startedAt)} ms`
  },
  'isolated: the tries arrive from a frame without a policy': async () => {
    const arrived = await triedOut('')
    const ofWorker = arrived.filter((path) => path.startsWith('/worker-')).length
    const ofFrame = arrived.length - ofWorker
    require(ofWorker >= 8 && ofFrame >= 20, arrived)
    return `${ofFrame} of the frame, ${ofWorker} of its worker`
  },
  'isolated: nothing arrives from its frame': async () => {
    const arrived = await triedOut(undefined)
    require(arrived.length === 0, arrived)
    return ''
  },
  'isolated: code has no channel but the relay': async () => {
    const { got } = await runRaw(`
      const kept = []
      for (let at = self; at; at = Object.getPrototypeOf(at)) {
        const own = Object.getOwnPropertyDescriptor(at, 'postMessage')
        if (own) kept.push(String(own.value).includes('[native code]'))
      }
      postMessage({ type: 'done', kept })
    `)
    require(got[0]?.includes('"kept":[false]'), got)
    return ''
  },
  'isolated: a flood costs the page a second of messages at most': async () => {
    const startedAt = performance.now()
    const { got, longest } = await runRaw(`for (let i = 0; i < 100_000; i++) postMessage({ i })`)
    const seconds = Math.ceil((performance.now() - startedAt) / 1000)
    const most = maxMessagesPerSecond * seconds + 1
    require(got.length <= most && got.at(-1)?.includes('broken'), got.length)
    return `${got.length} messages, longest pause ${longest} ms`
  },
  'isolated: two million objects do not hold the page': async () => {
    const { got, longest } = await runRaw(
      `postMessage(Array.from({ length: 2_000_000 }, () => ({})))`,
    )
    require(got.length === 1 && got[0]?.includes('broken'), got.length)
    require(longest < 1000, longest)
    return `longest pause ${longest} ms`
  },
}

await runTrials(trials)

/** One run of an agent; it is stopped at the first event of a type. */
async function ask(answer: ScriptedAnswer, stopAt?: AgentEvent['type']) {
  const agent = createAgent({
    model: scriptedModel(answer, [say('Done.')]),
    tools: inWorkers([measure, loop, complain], () => new Worker('/tools.js', { type: 'module' })),
  })
  const events: AgentEvent[] = []
  agent.subscribe((event) => {
    events.push(event)
    if (event.type === stopAt) agent.abort()
  })
  const { reason } = await agent.prompt('Go.')
  agent.dispose()
  return { events, reason }
}

/** What the model reads of a call whose worker is started like this. */
async function textOfCall(start: () => Worker): Promise<string> {
  const model = scriptedModel([call('measure', { n: 1 })], [say('Done.')])
  const agent = createAgent({ model, tools: inWorkers([measure], start) })
  await agent.prompt('Go.')
  agent.dispose()
  return JSON.stringify(model.requests[1]?.messages)
}

async function openSession(): Promise<Agent> {
  const model = scriptedModel([say('Done.')])
  const agent = createAgent({ model, storage: indexedDb(), sessionId: 'kept' })
  await agent.ready
  return agent
}

function until(agent: Agent, holds: (state: AgentState) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!holds(agent.getState())) return
      stop()
      resolve()
    }
    const stop = agent.store.subscribe(check)
    check()
  })
}

/** What the self-test finds wrong. */
function problemOf(html: string): Promise<string> {
  return testIsolation({ html }).then(() => '', String)
}

function runIsolated(how: string) {
  const execution = inIsolation([act], isolated).open(act, { graceMs: 250 })
  return execution.run(callTo('act', { how }), createRecorder())
}

/** What arrives outside when a frame and its worker try every way. Without a policy: the frame as it is made. */
async function triedOut(policy: string | undefined): Promise<readonly string[]> {
  await fetch(`${outside}arrived`)
  const html = policy === undefined ? isolatedFrameHtml() : frameHtml(frameScript, policy)
  await runRaw(waysOfWorker(outside), { html, probe: waysOfFrame(outside) })
  const text = await fetch(`${outside}arrived`).then((it) => it.text())
  return text.split('\n').filter((path) => path !== '')
}

/** How a call ends on a page with a policy, whose tools come from the assets. */
function settlementAt(origin: string, sandbox?: string): Promise<unknown> {
  const frame = document.createElement('iframe')
  if (sandbox !== undefined) frame.setAttribute('sandbox', sandbox)
  frame.src = `${origin}?assets=${encodeURIComponent(assets)}`
  return new Promise((resolve) => {
    addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
      if (source === frame.contentWindow) resolve(data)
    })
    document.body.append(frame)
  })
}
