import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAgent } from '../agent/create-agent.ts'
import { isObject, tryJson } from '../internal/json.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { createLoop } from '../tools/fixtures/fake-worker.fixtures.ts'
import { echoTool, eventOf, initialized } from './fake-server.fixtures.ts'
import { mcpTools } from './mcp-tools.ts'
import type { McpOptions } from './options.ts'
import { readAnswers } from './read-answers.ts'
import { serveMcpOn } from './serve-mcp.ts'

const notes = {
  'log messages': () => ({ method: 'notifications/message', params: { level: 'info', data: 'x' } }),
  progress: (progressToken: unknown) => ({
    method: 'notifications/progress',
    params: { progressToken, progress: 1 },
  }),
  'changes of its list': () => ({ method: 'notifications/tools/list_changed' }),
  'an unknown notification': () => ({ method: 'notifications/anything' }),
  'requests of its own': () => ({ id: 'again', method: 'ping' }),
} as const

type Kind = keyof typeof notes

test.for(
  (['page', 'worker'] as const).flatMap((place) =>
    (Object.keys(notes) as Kind[]).map((kind) => [kind, place] as const),
  ),
)(
  '[MCP21] %s without end, read in the %s, hold neither the page nor Stop, and are few events',
  async ([kind, place]) => {
    const flood = floodOf(kind)
    const { fetch } = flood
    const url = 'https://flood.example/mcp'
    const tools = await (place === 'page'
      ? mcpTools(url, { fetch })
      : mcpTools(() => createLoop((scope) => serveMcpOn(scope, url, { fetch }))))
    onTestFinished(() => tools.close())
    const model = scriptedModel([call('echo', {})], [say('Done.')])
    const agent = createAgent({ model, tools: [tools] })
    let events = 0
    agent.subscribe(() => (events += 1))

    const ended = agent.prompt('Go.')
    // Each of these is a turn of the page.
    while (flood.sent() < 5000) await setImmediate()
    agent.abort()

    expect(await ended).toMatchObject({ reason: 'aborted' })
    expect(events).toBeLessThan(flood.sent() / 10)
    agent.dispose()
  },
)

test('[MCP21] the page may have its turn after each step over a message', async () => {
  let turns = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    turns += 1
    return 0
  })
  onTestFinished(() => clock.mockRestore())
  const { body, headers } = json(1, {})
  const read = vi.fn((text: string) => text)
  const flush = () => {
    turns = 0
  }
  const pieces = body?.pipeThrough(new TransformStream({ flush })) ?? null

  await readAnswers(
    new Response(pieces, { headers }),
    {},
    {
      ...{ signal: new AbortController().signal, request: 1, hide: read },
      deliver: () => void expect(turns).toBe(3),
    },
  )

  expect(read).toHaveBeenCalledOnce()
})

test('[MCP14] however often a list changes, onToolsChanged is called at once and then each second', async () => {
  const clock = fakeClock()
  const flood = floodOf('changes of its list')
  let changes = 0
  const onToolsChanged = () => (changes += 1)
  const tools = await connect({ fetch: flood.fetch, clock, onToolsChanged })
  const agent = createAgent({ model: scriptedModel([call('echo', {})]), tools: [tools] })

  const ended = agent.prompt('Go.')
  while (flood.sent() < 5000) await setImmediate()
  expect(changes).toBe(1)
  clock.advance(1000)
  expect(changes).toBe(2)
  agent.abort()
  await ended
  await tools.close()
  clock.advance(10_000)

  expect(changes).toBe(2)
  agent.dispose()
})

test('[MCP21] a server that takes no answers to its requests has at most 16 on their way', async () => {
  const flood = floodOf('requests of its own')
  let [answers, calls] = [0, 0]
  const tools = await connect({
    fetch: async (url, init) => {
      const body = tryJson(String(init?.body ?? 'null'))
      if (!isObject(body) || body['result'] === undefined) return flood.fetch(url, init)
      answers += 1
      return new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('Aborted')))
      })
    },
  })
  onTestFinished(() => tools.close())
  const model = scriptedModel([call('echo', {})], [say('Done.')])
  const agent = createAgent({ model, tools: [tools] })
  agent.subscribe(({ type }) => (calls += Number(type === 'tool_execution_start')))

  const ended = agent.prompt('Go.')
  while (flood.sent() < 5000) await setImmediate()
  agent.abort()
  await ended

  expect([calls, answers]).toEqual([1, 16])
  agent.dispose()
})

test('[MCP21] a worker reads no further than 256 messages ahead of the page', async () => {
  const flood = floodOf('log messages')
  const posted: unknown[] = []
  const listeners: ((event: Event) => void)[] = []
  serveMcpOn(
    {
      postMessage: (message) => void posted.push(message),
      addEventListener: (_, listener) => void listeners.push(listener),
    },
    'https://flood.example/mcp',
    { fetch: flood.fetch },
  )
  const post = (data: object) => {
    for (const listener of listeners) listener(new MessageEvent('message', { data }))
  }
  const messages = () => posted.filter((one) => isObject(one) && one['type'] === 'message').length

  post({ type: 'start', n: 1, session: {} })
  const params = { name: 'echo', _meta: { progressToken: 1 } }
  post({ type: 'send', n: 2, message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
  await expect.poll(messages).toBe(256)
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
  expect(messages()).toBe(256)
  post({ type: 'taken', count: 64 })

  await expect.poll(messages).toBe(320)
})

function connect(options: McpOptions) {
  return mcpTools('https://flood.example/mcp', { needsApproval: false, ...options })
}

/** A server that answers a call with notifications, as fast as they are read. */
function floodOf(kind: Kind) {
  let sent = 0
  const many = 100
  const fetch: McpOptions['fetch'] = async (_, init) => {
    const body = tryJson(String(init?.body ?? 'null'))
    const { method, id, params = {} } = isObject(body) ? body : {}
    if (init?.method !== 'POST') return new Response(null, { status: 405 })
    if (method === 'initialize') return json(id, initialized(isObject(params) ? params : {}))
    if (method === 'tools/list') return json(id, { tools: [echoTool] })
    if (method !== 'tools/call') return new Response(null, { status: 202 })
    const { _meta: meta } = isObject(params) ? params : {}
    const token = isObject(meta) ? meta['progressToken'] : undefined
    const event = eventOf({ jsonrpc: '2.0', ...notes[kind](token) })
    const piece = new TextEncoder().encode(event.repeat(many))
    const stream = new ReadableStream({
      pull: (controller) => {
        sent += many
        controller.enqueue(piece)
      },
    })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  }
  return { fetch, sent: () => sent }
}

function json(id: unknown, result: unknown): Response {
  const headers = { 'content-type': 'application/json' }
  return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }), { headers })
}
