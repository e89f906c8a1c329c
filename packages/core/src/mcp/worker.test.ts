import { expect, onTestFinished, test } from 'vitest'
import { createFakeWorker, createLoop } from '../tools/fixtures/fake-worker.fixtures.ts'
import { type Answer, reply, stream } from './fake-server.fixtures.ts'
import { run, serverFor, start } from './mcp.fixtures.ts'
import { mcpTools } from './mcp-tools.ts'
import { serveMcp, serveMcpOn } from './serve-mcp.ts'

async function connectThroughWorker(answer?: Answer) {
  const server = await serverFor(answer)
  let started = 0
  const tools = await mcpTools(() => {
    started += 1
    return createLoop((scope) => serveMcpOn(scope, server.url))
  })
  onTestFinished(() => tools.close())
  return { server, tools, started: () => started }
}

test('[MCP15] all that goes over the connection goes through the worker, in one session', async () => {
  let changes = 0
  const server = await serverFor()
  const tools = await mcpTools(() => createLoop((scope) => serveMcpOn(scope, server.url)), {
    onToolsChanged: () => {
      changes += 1
    },
  })
  await server.until(({ http }) => http.startsWith('GET'))

  expect(await run(tools, 'echo', { text: 'a' })).toMatchObject({ kind: 'returned' })
  server.say({ method: 'notifications/tools/list_changed' })
  await expect.poll(() => changes).toBe(1)
  // The connection ends with its worker, and the next worker goes on in its session.
  tools.release?.()
  expect(await run(tools, 'echo', { text: 'b' })).toMatchObject({ kind: 'returned' })
  expect(server.of('initialize')).toHaveLength(1)
  expect(server.of('tools/call').map(({ headers }) => headers['mcp-session-id'])).toEqual([
    's1',
    's1',
  ])
  await tools.close()
  expect(server.seen.some(({ http }) => http.startsWith('DELETE'))).toBe(true)
})

test('[MCP12] [MCP15] a failure in the worker is the same error on the page', async () => {
  const server = await serverFor((_, response) => {
    response.writeHead(401).end()
    return true
  })

  const connecting = mcpTools(() => createLoop((scope) => serveMcpOn(scope, server.url)))

  await expect(connecting).rejects.toMatchObject({
    name: 'McpServerError',
    kind: 'auth',
    message: expect.stringContaining('does not let this page in (401)'),
  })
})

test('[MCP6] [MCP15] Stop reaches the server through the worker', async () => {
  const { server, tools, started } = await connectThroughWorker(
    ({ method }, response) => method === 'tools/call' && stream(response),
  )
  const { execution, done } = start(tools, 'echo')
  await server.until(({ method }) => method === 'tools/call')

  execution.stop()

  expect(await done).toEqual({ kind: 'stopped', how: 'cooperative' })
  expect(server.of('notifications/cancelled')).toHaveLength(1)
  expect(started()).toBe(1)
})

test('[MCP7] [MCP15] a worker that takes no cancellation is ended with its last call, and replaced', async () => {
  let isHanging = true
  const { server, tools, started } = await connectThroughWorker(
    ({ method, id }, response) =>
      isHanging &&
      (method === 'notifications/cancelled' ||
        (method === 'tools/call' && (id === 2 ? stream(response) : reply(response, id, {})))),
  )
  const { execution, done } = start(tools, 'echo')
  await server.until(({ method }) => method === 'tools/call')

  execution.stop()

  expect(await done).toEqual({ kind: 'stopped', how: 'terminated' })
  isHanging = false
  expect(await run(tools, 'echo', { text: 'on' })).toMatchObject({ kind: 'returned' })
  expect(started()).toBe(2)
})

test('[MCP12] a worker that does not load, or never posts, is an error that says what it needs', async () => {
  const broken = createFakeWorker()
  const connecting = mcpTools(() => broken)
  await expect.poll(() => broken.posted).toHaveLength(1)
  broken.fire('error')
  await expect(connecting).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'The worker of the MCP connection failed. Its script must load, and call serveMcp.',
  })

  const silent = createFakeWorker()
  await expect(mcpTools(() => silent, { connectTimeoutMs: 50 })).rejects.toMatchObject({
    kind: 'timeout',
  })
  expect([broken.terminations(), silent.terminations()]).toEqual([1, 1])
})

test('serveMcp is for workers, and a transport of the SDK is taken as it is', async () => {
  expect(() => serveMcp('https://a.example')).toThrow(
    'serveMcp belongs into the script of a worker',
  )
  const { InMemoryTransport } = await import('@modelcontextprotocol/sdk/inMemory.js')
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js')
  const server = new McpServer({ name: 'own', version: '1.0.0' })
  server.registerTool('now', { description: 'The time.' }, () => ({
    content: [{ type: 'text', text: 'noon' }],
  }))
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(theirs)

  const tools = await mcpTools(() => ours)

  expect(await run(tools, 'now')).toMatchObject({ result: { content: [{ text: 'noon' }] } })
  await tools.close()
})
