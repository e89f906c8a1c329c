import { fakeClock } from '@offthread/core/testing'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { node } from '../../core/src/tools/fixtures/browser-commands.fixtures.ts'
import { callTo, createRecorder, settleDown } from '../../core/src/tools/fixtures/calls.fixtures.ts'
import { act } from './fixtures/isolated.fixtures.ts'
import { inIsolation } from './isolated-host.ts'
import type { NetworkOptions } from './network.ts'

const text = await node.isolatedTools()
let api = ''
let evil = ''

beforeAll(async () => {
  api = await node.startServer()
  evil = await node.startServer()
  return async () => {
    await node.stopServer(api)
    await node.stopServer(evil)
  }
})

test('[N3] sends a request to a declared origin, without cookies and without a referrer', async () => {
  // Cookies ignore ports, so this one would go to the server.
  await cookieStore.set('offthread-secret', '1')
  onTestFinished(() => cookieStore.delete('offthread-secret'))

  const { done, lines } = ask(`${api}/echo?city=Kyiv#part`, { headers: { 'x-own': 'yes' } })

  expect(await done).toEqual(
    answered({ status: 200, text: JSON.stringify({ method: 'GET', body: '', own: 'yes' }) }),
  )
  expect(await node.requestsAt(api)).toContain(`GET ${hostOf(api)}/echo?city=Kyiv`)
  // What was requested is in the query: the log has the address without it.
  expect(lines()).toEqual([{ level: 'info', text: `GET ${api}/echo: 200, 38 bytes` }])
})

test('returns an answer without a body, and one with an error status', async () => {
  expect(await ask(`${api}/empty`).done).toEqual(answered({ status: 204, text: '' }))
  expect(await ask(`${api}/none`).done).toEqual(
    answered({ status: 404, text: 'There is nothing here.' }),
  )
})

test('sends a body with a declared method', async () => {
  const { done } = ask(`${api}/echo`, { method: 'POST', body: 'a=1' }, { methods: ['get', 'post'] })

  expect(await done).toEqual(
    answered({ status: 200, text: JSON.stringify({ method: 'POST', body: 'a=1' }) }),
  )
})

interface Refused {
  readonly what: string
  readonly code: string
  readonly url: () => string
  readonly options?: RequestInit
  readonly network?: () => Partial<NetworkOptions>
}
const example = () => ({ origins: ['https://api.example.com'] })
const portOfEvil = () => new URL(evil).port
const refused: readonly Refused[] = [
  { what: 'another port', code: 'origin', url: () => `${evil}/?secret` },
  {
    what: 'another name of the same server',
    code: 'origin',
    url: () => api.replace('127.0.0.1', 'localhost'),
  },
  {
    what: 'a name that begins as the declared one',
    code: 'origin',
    url: () => `http://api.localhost.evil.localhost:${portOfEvil()}/?secret`,
    network: () => ({ origins: [`http://api.localhost:${portOfEvil()}`] }),
  },
  {
    what: 'a domain that begins as the declared one',
    code: 'origin',
    url: () => 'https://api.example.com.evil.test/',
    network: example,
  },
  { what: 'http', code: 'origin', url: () => 'http://api.example.com/', network: example },
  { what: 'IPv6', code: 'origin', url: () => `http://[::1]:${portOfEvil()}/` },
  {
    what: 'an IP address as a number',
    code: 'origin',
    url: () => `http://2130706433:${portOfEvil()}`,
  },
  { what: 'a link-local address', code: 'origin', url: () => 'http://169.254.169.254/meta-data' },
  { what: 'a private address', code: 'origin', url: () => 'https://10.0.0.1/' },
  { what: 'the page itself', code: 'origin', url: () => `${location.origin}/` },
  {
    what: 'a declared origin as a user name',
    code: 'userinfo',
    url: () => `${api}@${hostOf(evil)}/?secret`,
  },
  {
    what: 'a user name and a password',
    code: 'userinfo',
    url: () => api.replace('//', '//me:hidden@'),
  },
  { what: 'a model', code: 'provider', url: () => 'https://api.anthropic.com/v1/messages' },
  { what: 'another model', code: 'provider', url: () => 'https://api.openai.com/v1/responses' },
  {
    what: 'a model that the page named',
    code: 'provider',
    url: () => `${evil}/?secret`,
    network: () => ({ never: [evil] }),
  },
  { what: 'a path', code: 'invalid_url', url: () => '/echo' },
  { what: 'data:', code: 'invalid_url', url: () => 'data:text/plain,a' },
  { what: 'blob:', code: 'invalid_url', url: () => 'blob:null/1' },
  { what: 'file:', code: 'invalid_url', url: () => 'file:///etc/passwd' },
  {
    what: 'POST',
    code: 'method',
    url: () => `${api}/refused`,
    options: { method: 'POST', body: 'a' },
  },
  { what: 'DELETE', code: 'method', url: () => `${api}/refused`, options: { method: 'DELETE' } },
  { what: 'a long query', code: 'query_too_long', url: () => `${api}/refused?${'a'.repeat(2048)}` },
  {
    what: 'a long body',
    code: 'too_large',
    url: () => `${api}/refused`,
    options: { method: 'POST', body: 'abcd' },
    network: () => ({ methods: ['POST'], maxBytes: 3 }),
  },
]

test.for(refused)('[N1] sends no request: $what', async ({ code, url, options, network }) => {
  const { done, lines } = ask(url(), options, network?.())

  expect(await done).toMatchObject({
    kind: 'threw',
    errorKind: 'failed',
    details: { name: 'BrokerError' },
  })
  expect(lines()).toEqual([{ level: 'warn', text: expect.stringContaining(`: ${code}. `) }])
  expect(lines()[0]?.text).not.toContain('hidden')
  expect(await node.requestsAt(evil)).toEqual([])
  expect((await node.requestsAt(api)).filter((line) => line.includes('/refused'))).toEqual([])
})

test('[N3] follows no redirect', async () => {
  const { done, lines } = ask(`${api}/redirect?to=${encodeURIComponent(`${evil}/taken`)}`)

  expect(await done).toMatchObject({ message: expect.stringContaining('redirects') })
  expect(lines()[0]?.text).toContain(': redirect. ')
  expect(await node.requestsAt(evil)).toEqual([])
})

test('[N4] aborts an answer that is too large, while it arrives', async () => {
  const { done, lines } = ask(`${api}/large`, {}, { maxBytes: 150_000 })

  expect(await done).toMatchObject({
    message: expect.stringContaining('The answer has over 150000 bytes.'),
  })
  expect(lines()[0]?.text).toContain(': too_large. ')
})

test('[N4] aborts an answer that is too slow, though it has started', async () => {
  const { done, lines, clock } = ask(`${api}/slow`, {}, { timeoutMs: 700 })
  await arrived(`GET ${hostOf(api)}/slow`)

  clock.advance(699)
  clock.advance(1)

  expect(await done).toMatchObject({
    message: expect.stringContaining('not complete within 0.7 s'),
  })
  expect(lines()[0]?.text).toContain(': timed_out. ')
})

test('reports a server that does not allow requests from a page', async () => {
  const closed = await node.startServer()
  await node.stopServer(closed)

  const { done } = ask(closed, {}, { origins: [closed] })

  expect(await done).toMatchObject({ message: expect.stringContaining('CORS') })
})

test('[N7] aborts a request with its call, whether the tool listens or not', async () => {
  const opened = open('ask without listening', `${api}/slow?stopped`)
  await arrived(`GET ${hostOf(api)}/slow?stopped`)

  opened.execution.stop()
  await opened.recorder.received('log')

  expect(opened.lines()).toEqual([
    { level: 'warn', text: `GET ${api}/slow: aborted. It was stopped.` },
  ])
  opened.clock.advance(250)
  expect(await opened.done).toEqual({ kind: 'stopped', how: 'terminated' })
  // The timer of the request is gone as well.
  expect(opened.clock.pending()).toBe(0)
})

test('its requests are no sign of life of a worker that is blocked', async () => {
  const tool = { ...act, maxSilenceMs: 500 }
  const { clock, recorder, execution, done, lines } = open(
    'ask and loop for ever',
    `${api}/slow?blocked`,
    { tool, network: { timeoutMs: 300 } },
  )
  await recorder.received('update')
  await arrived(`GET ${hostOf(api)}/slow?blocked`)

  clock.advance(300)
  await recorder.received('log')
  clock.advance(200)
  execution.close()

  expect(await done).toEqual({
    kind: 'crashed',
    message: expect.stringContaining('no sign of life for 0.5 s'),
  })
  expect(lines()).toEqual([{ level: 'warn', text: expect.stringContaining(': timed_out. ') }])
})

test('logs nothing after its call has ended', async () => {
  const { done, execution, lines } = open('ask without listening', `${api}/slow?ended`)
  await arrived(`GET ${hostOf(api)}/slow?ended`)

  execution.close()

  expect(await done).toEqual({ kind: 'stopped', how: 'terminated' })
  await settleDown()
  expect(lines()).toEqual([])
})

test('[N2] runs eight requests at a time, and refuses the other twelve', async () => {
  const { done } = open('ask many at once', `${api}/slow?many`)

  expect(await done).toMatchObject({ result: { content: [{ text: '12' }] } })
})

test.for([
  'ask what is refused without end',
  'post garbage to the broker',
  'abort without end what it never asked for',
])('[I15] ends by force a call whose code does nothing else than: %s', async (how) => {
  const { done, lines } = open(how, `${evil}/`)

  expect(await done).toEqual({ kind: 'crashed', message: expect.any(String) })
  expect(lines().length).toBeLessThanOrEqual(100)
  expect(await node.requestsAt(evil)).toEqual([])
})

test('[I33] [N7] sends no request before its call has started', async () => {
  const request = { url: `${api}/early`, method: 'GET', headers: [] }
  const early = `
    const port = self[Symbol.for('offthread.broker')]
    const answered = new Promise((resolve) => { port.onmessage = resolve })
    port.postMessage(${JSON.stringify({ type: 'fetch', id: 1, request })})
    const { data } = await answered
    if (data.code !== 'too_early') throw new Error('It was answered: ' + data.type)
  `
  const host = inIsolation([act], { text: `${early}\n${text}` }, { network: { origins: [api] } })

  await host.check()

  expect(await node.requestsAt(api)).not.toContain(`GET ${hostOf(api)}/early`)
})

test('has no network where none is declared', async () => {
  const host = inIsolation([act], { text })
  const execution = host.open(act, { graceMs: 250 })

  const settlement = await execution.run(
    callTo('act', { how: 'ask', url: `${api}/none` }),
    createRecorder(),
  )

  expect(settlement).toMatchObject({
    message: expect.stringContaining('There is no network here.'),
  })
})

function ask(url: string, options: RequestInit = {}, network: Partial<NetworkOptions> = {}) {
  return open('ask', url, { options, network })
}

interface Given {
  readonly options?: RequestInit
  readonly network?: Partial<NetworkOptions>
  readonly tool?: typeof act
}

function open(how: string, url: string, { options = {}, network = {}, tool = act }: Given = {}) {
  const clock = fakeClock()
  const recorder = createRecorder()
  const rules = { origins: [api], ...network }
  const host = inIsolation([tool], { text }, { clock, network: rules })
  const execution = host.open(tool, { graceMs: 250 })
  onTestFinished(() => execution.close())
  const input = { how, url, options: JSON.parse(JSON.stringify(options)) }
  return {
    clock,
    recorder,
    execution,
    done: execution.run(callTo('act', input), recorder),
    lines: () =>
      recorder.notices.flatMap((notice) =>
        notice.type === 'log'
          ? notice.lines.map(({ level, text: words }) => ({ level, text: words }))
          : [],
      ),
  }
}

async function arrived(line: string): Promise<void> {
  await expect.poll(() => node.requestsAt(api), { timeout: 10_000 }).toContain(line)
}

function hostOf(origin: string): string {
  return new URL(origin).host
}

function answered(structuredContent: { readonly status: number; readonly text: string }) {
  return {
    kind: 'returned',
    result: expect.objectContaining({ structuredContent }),
  }
}
