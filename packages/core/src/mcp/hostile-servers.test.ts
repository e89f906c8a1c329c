import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createAgent } from '../agent/create-agent.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import {
  type Answer,
  echoTool,
  eventOf,
  initialized,
  reply,
  stream,
} from './fake-server.fixtures.ts'
import { connectTo, run, serverFor, start } from './mcp.fixtures.ts'
import { mcpTools } from './mcp-tools.ts'

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ''): Answer =>
  (_, response) => {
    response.writeHead(code, headers).end(body)
    return true
  }
const onCall =
  (answer: (response: ServerResponse, id: unknown) => boolean): Answer =>
  ({ method, id }, response) =>
    method === 'tools/call' && answer(response, id)

test.for<readonly [what: string, answer: Answer, kind: string, words: string]>([
  ['asks for a token', status(401), 'auth', 'Give it a token with `headers`'],
  ['forbids it', status(403), 'auth', 'does not let this page in (403)'],
  ['is out of order', status(502), 'unreachable', 'is out of order (502)'],
  ['has no such address', status(404), 'protocol', 'answers with status 404'],
  [
    'leads elsewhere',
    status(307, { location: 'https://a.example/' }),
    'protocol',
    'leads elsewhere, and no redirect is followed',
  ],
  [
    'is a website',
    status(200, { 'content-type': 'text/html' }, '<html>'),
    'protocol',
    'it answers with text/html',
  ],
  [
    'sends no JSON',
    status(200, { 'content-type': 'application/json' }, 'hello'),
    'protocol',
    'a message of it is no JSON',
  ],
  [
    'sends other JSON',
    status(200, { 'content-type': 'application/json' }, '{"jsonrpc":"2.0","id":0}'),
    'protocol',
    'a message of it is none',
  ],
  [
    'has a version that is none',
    ({ id }, response) => reply(response, id, initialized({ protocolVersion: '1066-10-14' })),
    'protocol',
    'protocol version is not supported: 1066-10-14',
  ],
  [
    'says nothing of itself',
    ({ id }, response) => reply(response, id, {}),
    'protocol',
    'does not keep to the protocol',
  ],
  [
    'has a list that is none',
    ({ method, id }, response) => method === 'tools/list' && reply(response, id, { tools: 'all' }),
    'protocol',
    'its list of tools is none',
  ],
  [
    'has a list without an end',
    ({ method, id }, response) =>
      method === 'tools/list' && reply(response, id, { tools: [], nextCursor: 'more' }),
    'protocol',
    'one of its lists does not end',
  ],
  [
    'refuses',
    ({ method, id }, response) => {
      if (method !== 'tools/list') return false
      const error = { code: -32_601, message: 'No tools today' }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error }))
      return true
    },
    'refused',
    'The MCP server refused: No tools today.',
  ],
  [
    'has a list of more than 16 MB',
    ({ method, id }, response) =>
      method === 'tools/list' &&
      reply(response, id, { tools: [{ name: 'x'.repeat(6_000_000) }], nextCursor: 'more' }),
    'too_large',
    'or 16 MB, or is nested too deeply',
  ],
  [
    'has a list of more than 10,000 entries',
    ({ method, id }, response) =>
      method === 'tools/list' &&
      reply(response, id, { tools: Array.from({ length: 10_001 }, () => ({ name: 'a' })) }),
    'too_large',
    'has more than 10,000 entries',
  ],
  [
    'nests its list deeply',
    ({ method, id }, response) => {
      if (method !== 'tools/list') return false
      const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"a","x":${deep}}]}}`)
      return true
    },
    'protocol',
    'nested deeper than 200 levels, or',
  ],
  ['never answers', () => true, 'timeout', 'did not answer in time'],
  [
    'takes its time for each of many pages',
    ({ method, id }, response) => {
      if (method !== 'tools/list') return false
      setTimeout(() => reply(response, id, { tools: [], nextCursor: 'more' }), 10)
      return true
    },
    'timeout',
    'did not answer in time',
  ],
])(
  '[MCP12] [MCP18] a server that %s is an error that says what to do',
  async ([, answer, kind, words]) => {
    const { url } = await serverFor(answer)

    const connecting = mcpTools(url, { connectTimeoutMs: kind === 'timeout' ? 100 : 60_000 })

    await expect(connecting).rejects.toMatchObject({
      name: 'McpServerError',
      kind,
      message: expect.stringContaining(words),
    })
  },
)

test('[MCP12] a server that is not there is an error that says what to check', async () => {
  const server = await serverFor()
  await server.close()

  await expect(mcpTools(server.url)).rejects.toMatchObject({
    kind: 'unreachable',
    message: `The MCP server at ${new URL(server.url).host} cannot be reached. Check that it runs, that the address is right, and that it allows this page by CORS.`,
  })
})

test('[MCP12] a server that dies fails the call, and the run goes on', async () => {
  const { server, tools } = await connectTo(
    onCall((response) => {
      response.destroy()
      return true
    }),
  )
  const model = scriptedModel([call('echo', {})], [say('Sorry.')])
  const agent = createAgent({ model, tools: [tools] })

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop', text: 'Sorry.' })

  expect(JSON.stringify(model.requests[1])).toContain('cannot be reached. Check that it runs')
  expect(server.of('tools/call')).toHaveLength(1)
  agent.dispose()
})

test.for<readonly [what: string, answer: (response: ServerResponse, id: unknown) => boolean]>([
  ['an empty stream', (response) => stream(response) && response.end() !== undefined],
  [
    'the answer to something else',
    (response) => {
      stream(response, { id: 4711, result: {} })
      response.end()
      return true
    },
  ],
  [
    'half of an answer',
    (response, id) => {
      stream(response)
      response.write(eventOf({ jsonrpc: '2.0', id, result: { content: [] } }).slice(0, 30))
      response.end()
      return true
    },
  ],
])(
  '[MCP9] a call whose connection ends without its answer fails at once: %s',
  async ([, answer]) => {
    const { tools } = await connectTo(onCall(answer), { timeoutMs: null })

    expect(await run(tools, 'echo')).toMatchObject({
      kind: 'threw',
      errorKind: 'failed',
      message:
        'The MCP server closed the connection before it answered. What was asked may or may not have been done.',
    })
  },
)

test('[MCP13] the first answer counts, and what follows it is not read', async () => {
  const result = (words: string) => ({ content: [{ type: 'text', text: words }] })
  const { tools } = await connectTo(
    onCall((response, id) =>
      stream(response, { id, result: result('first') }, { id, result: result('second') }),
    ),
  )

  for (let i = 0; i < 2; i += 1) {
    expect(await run(tools, 'echo')).toMatchObject({ result: result('first') })
  }
})

test('[MCP6] [MCP13] a second answer, on the stream of another call, changes nothing', async () => {
  const result = (words: string) => ({ content: [{ type: 'text', text: words }] })
  let earlier: unknown
  const { tools } = await connectTo(
    onCall((response, id) => {
      const late = earlier === undefined ? [] : [{ id: earlier, result: result('late') }]
      earlier = id
      return stream(response, ...late, { id, result: result(`call ${String(id)}`) })
    }),
  )
  const texts = [await run(tools, 'echo'), await run(tools, 'echo')].map((one) =>
    one.kind === 'returned' ? one.result.content : one,
  )

  expect(new Set(texts.map((one) => JSON.stringify(one))).size).toBe(2)
  expect(JSON.stringify(texts)).not.toContain('late')
})

test.for<readonly [what: string, send: (response: ServerResponse, id: unknown) => void]>([
  [
    'one long answer',
    (response, id) =>
      reply(response, id, { content: [{ type: 'text', text: 'x'.repeat(9_000_000) }] }),
  ],
  [
    'an event that does not end',
    (response) => {
      stream(response)
      response.write(`data: ${'x'.repeat(9_000_000)}`)
    },
  ],
  [
    'too many values',
    (response, id) => stream(response, { id, result: { content: [Array(60_000).fill(0)] } }),
  ],
])('[MCP11] a call whose answer is too large fails with the limit: %s', async ([, send]) => {
  const { tools } = await connectTo(
    onCall((response, id) => {
      send(response, id)
      return true
    }),
  )

  expect(await run(tools, 'echo')).toMatchObject({
    kind: 'threw',
    message:
      'The MCP server sent a message of more than 8 MB or 50000 values. Ask it for less at a time.',
  })
})

test('[MCP6] Stop notifies the server, ends the request, and the call is over once that is taken', async () => {
  let isClosed = false
  const { server, tools } = await connectTo(
    onCall((response) => {
      response.on('close', () => (isClosed = true))
      return stream(response)
    }),
  )
  const { execution, done } = start(tools, 'echo')
  const asked = await server.until(({ method }) => method === 'tools/call')

  execution.stop()

  expect(await done).toEqual({ kind: 'stopped', how: 'cooperative' })
  expect(server.of('notifications/cancelled')[0]?.params).toMatchObject({ requestId: asked.id })
  await expect.poll(() => isClosed).toBe(true)
  expect(server.of('initialize')).toHaveLength(1)
})

test('[MCP6] [MCP7] a server that takes no cancellation is cut off, and the next call has a new connection', async () => {
  let isHanging = true
  const { server, tools } = await connectTo(
    ({ method }, response) =>
      isHanging &&
      (method === 'notifications/cancelled' || (method === 'tools/call' && stream(response))),
  )
  await server.until(({ http }) => http.startsWith('GET'))
  const { execution, done } = start(tools, 'echo')
  await server.until(({ method }) => method === 'tools/call')

  execution.stop()

  expect(await done).toEqual({ kind: 'stopped', how: 'terminated' })
  isHanging = false
  expect(await run(tools, 'echo', { text: 'on' })).toMatchObject({ kind: 'returned' })
  // In the same session, and listening again.
  expect(server.of('initialize')).toHaveLength(1)
  expect(server.of('tools/call')[1]?.headers['mcp-session-id']).toBe('s1')
  await expect.poll(() => server.seen.filter(({ http }) => http.startsWith('GET'))).toHaveLength(2)
  const ids = server.of('tools/call').map(({ id }) => id)
  expect(new Set(ids).size).toBe(2)
})

test('[MCP6] a call that takes too long is stopped like that, too', async () => {
  const { server, tools } = await connectTo(
    onCall((response) => stream(response)),
    { timeoutMs: 50 },
  )
  const model = scriptedModel([call('echo', {})], [say('Sorry.')])
  const agent = createAgent({ model, tools: [tools] })

  await agent.prompt('Go.')

  expect(JSON.stringify(model.requests[1])).toContain('Timed out after 0.05 s')
  expect(server.of('notifications/cancelled')).toHaveLength(1)
  agent.dispose()
})

test.for(['e7', 'é€😀'])(
  '[MCP8] a stream that breaks off goes on behind its last event: %s',
  async (event) => {
    const seen: unknown[] = []
    const { tools } = await connectTo(({ http, method, id, headers }, response) => {
      const after = headers['last-event-id']
      if (method === 'tools/call') {
        seen.push(id)
        stream(response)
        const note = { jsonrpc: '2.0', method: 'notifications/message', params: {} }
        response.end(eventOf(note, event))
        return true
      }
      if (!http.startsWith('GET') || after === undefined) return false
      seen.push(Buffer.from(String(after), 'latin1').toString())
      return stream(response, { id: seen[0], result: { content: [{ type: 'text', text: 'on' }] } })
    })

    expect(await run(tools, 'echo')).toMatchObject({ result: { content: [{ text: 'on' }] } })
    expect(seen).toEqual([expect.any(Number), event])
  },
)

test.for([
  ['a control character', '\u0001'],
  ['a megabyte', 'x'.repeat(1_000_000)],
] as const)(
  '[MCP8] behind an event that no request can name no stream goes on: %s',
  async ([, event]) => {
    const { server, tools } = await connectTo(({ method }, response) => {
      if (method !== 'tools/call') return false
      stream(response)
      response.end(eventOf({ jsonrpc: '2.0', method: 'notifications/message', params: {} }, event))
      return true
    })

    expect(await run(tools, 'echo')).toMatchObject({
      message: expect.stringContaining('closed the connection before it answered'),
    })
    expect(server.seen.filter(({ headers }) => headers['last-event-id'])).toEqual([])
  },
)

test.for([404, 400])(
  '[MCP8] a server that has forgotten the session gets a new one, and the refused call once more: %i',
  async (code) => {
    let session = 1
    const { server, tools } = await connectTo(({ method, id, params, headers }, response) => {
      response.setHeader('mcp-session-id', `s${session}`)
      if (method === 'initialize') return reply(response, id, initialized(params))
      if (headers['mcp-session-id'] === `s${session}`) return false
      response.writeHead(code).end('No valid session')
      return true
    })
    session = 2

    const calls = [run(tools, 'echo', { text: 'a' }), run(tools, 'echo', { text: 'b' })]

    expect(await Promise.all(calls)).toMatchObject([
      { result: { content: [{ text: 'a' }] } },
      { result: { content: [{ text: 'b' }] } },
    ])
    expect(server.of('initialize')).toHaveLength(2)
    expect(server.of('tools/call')).toHaveLength(4)
  },
)

test.for([404, 400, 401, 410])(
  '[MCP8] [MCP9] a call that was taken is not sent again when its stream cannot go on: %i',
  async (code) => {
    let session = 1
    const { server, tools } = await connectTo(({ http, method, id, params, headers }, response) => {
      response.setHeader('mcp-session-id', `s${session}`)
      if (method === 'initialize') return reply(response, id, initialized(params))
      if (method === 'tools/call' && session === 1) {
        session = 2
        stream(response)
        response.end(eventOf({ jsonrpc: '2.0', method: 'notifications/message', params: {} }, 'e'))
        return true
      }
      if (!http.startsWith('GET') || headers['last-event-id'] === undefined) return false
      response.writeHead(code).end('No valid session')
      return true
    })

    expect(await run(tools, 'echo')).toMatchObject({
      message: expect.stringContaining('What was asked may or may not have been done'),
    })
    expect(server.of('tools/call')).toHaveLength(1)
  },
)

test('[MCP8] a stream goes on also when the server is out of order for a moment', async () => {
  let tries = 0
  const { server, tools } = await connectTo(({ http, method, headers }, response) => {
    if (method === 'tools/call') {
      stream(response)
      response.end(eventOf({ jsonrpc: '2.0', method: 'notifications/message', params: {} }, 'e'))
      return true
    }
    if (!http.startsWith('GET') || headers['last-event-id'] === undefined) return false
    tries += 1
    const id = server.of('tools/call')[0]?.id
    if (tries > 1)
      return stream(response, { id, result: { content: [{ type: 'text', text: 'on' }] } })
    response.writeHead(503).end()
    return true
  })

  expect(await run(tools, 'echo')).toMatchObject({ result: { content: [{ text: 'on' }] } })
})

test('[MCP8] a session that is forgotten at once ends in an error', async () => {
  let isForgetful = false
  const { tools } = await connectTo((_, response) => {
    if (!isForgetful || _.method === 'initialize') return false
    response.writeHead(404).end()
    return true
  })
  isForgetful = true

  await expect(tools.refresh()).rejects.toMatchObject({ kind: 'session' })
})

test('[MCP8] after the agent is disposed the connection is gone, and comes back with the next use', async () => {
  const { server, tools } = await connectTo()
  await server.until(({ http }) => http.startsWith('GET'))
  const agent = createAgent({ model: scriptedModel([]), tools: [tools] })
  agent.dispose()

  await expect(tools.listPrompts()).rejects.toMatchObject({ kind: 'protocol' })
  expect(await run(tools, 'echo', { text: 'a' })).toMatchObject({ kind: 'returned' })
  expect(server.of('initialize')).toHaveLength(1)
})

test('close ends the session, and says so to who comes later', async () => {
  const { server, tools } = await connectTo(onCall((response) => stream(response)))
  const { done } = start(tools, 'echo')
  await server.until(({ method }) => method === 'tools/call')

  await tools.close()

  expect(await done).toMatchObject({
    kind: 'threw',
    message: expect.stringContaining('The connection to the MCP server was closed before'),
  })
  expect(server.seen.filter(({ http }) => http.startsWith('DELETE'))).toHaveLength(1)
  expect(await run(tools, 'echo')).toMatchObject({
    message: 'These MCP tools were closed. Call mcpTools again.',
  })
})

test('[MCP16] a tool that is a task is asked how it is, and Stop cancels its task', async () => {
  let status = 'working'
  const { server, tools } = await connectTo(
    ({ method, id }, response) => {
      const task = { taskId: 't1', status, statusMessage: 'On it', pollInterval: 1 }
      if (method === 'tools/call') return reply(response, id, { task })
      if (method === 'tasks/get') return reply(response, id, task)
      if (method === 'tasks/cancel') return reply(response, id, task)
      const content = [{ type: 'text', text: 'At last.' }]
      return method === 'tasks/result' && reply(response, id, { content })
    },
    { tools: [{ ...echoTool, execution: { taskSupport: 'required' } }] },
  )
  const { recorder, done } = start(tools, 'echo')
  await recorder.received('progress')
  status = 'completed'

  expect(await done).toMatchObject({ result: { content: [{ text: 'At last.' }] } })
  expect(recorder.notices).toContainEqual({ type: 'progress', progress: { status: 'On it' } })
  expect(server.of('tools/call')[0]?.params).toMatchObject({ task: {} })

  status = 'working'
  const stopped = start(tools, 'echo')
  await stopped.recorder.received('progress')
  stopped.execution.stop()
  expect(await stopped.done).toEqual({ kind: 'stopped', how: 'cooperative' })
  expect(server.of('tasks/cancel')).toHaveLength(1)
  // What had its answer before the stop is not cancelled.
  expect(server.of('notifications/cancelled')).toEqual([])

  for (const [end, words] of [
    ['input_required', 'asks for more input'],
    ['cancelled', 'The MCP server cancelled the task.'],
  ] as const) {
    status = end
    expect(await run(tools, 'echo')).toMatchObject({ message: expect.stringContaining(words) })
  }
})
