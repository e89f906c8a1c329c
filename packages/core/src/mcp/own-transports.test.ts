import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished, test } from 'vitest'
import { run, serverFor } from './mcp.fixtures.ts'
import { mcpTools } from './mcp-tools.ts'
import type { McpEndpoint } from './options.ts'

const over = (url: string) => new StreamableHTTPClientTransport(new URL(url))

test('[MCP1] a transport of the SDK serves one connection, a function that makes one serves all', async () => {
  const { url } = await serverFor()
  const once = await mcpTools(over(url))
  const always = await mcpTools(() => over(url))
  onTestFinished(() => Promise.all([once.close(), always.close()]).then(() => undefined))
  for (const tools of [once, always]) {
    expect(await run(tools, 'echo', { text: 'a' })).toMatchObject({ kind: 'returned' })
    tools.release?.()
  }

  expect(await run(always, 'echo', { text: 'b' })).toMatchObject({ kind: 'returned' })
  expect(await run(once, 'echo', { text: 'b' })).toMatchObject({
    kind: 'threw',
    message:
      'The connection to the MCP server has ended, and a transport serves only one. Give mcpTools a function that makes a transport, to connect again.',
  })
})

test.for<readonly [what: string, make: () => unknown, words: string]>([
  [
    'throws as the platform does',
    () => {
      throw new DOMException('The URL is bad', 'SyntaxError')
    },
    'could not be made: The URL is bad.',
  ],
  ['gives nothing', () => undefined, 'neither a transport of the SDK nor a worker.'],
  ['gives a promise', async () => over('http://localhost'), 'neither a transport of the SDK nor'],
])('[MCP12] a function that %s is an error that says so', async ([, make, words]) => {
  await expect(mcpTools(make as () => never)).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining(words),
  })
})

test.for<readonly [status: number, kind: string, words: string]>([
  [401, 'auth', 'does not let this page in. Check the token of the transport'],
  [403, 'auth', 'does not let this page in. Check the token of the transport'],
  [503, 'unreachable', 'cannot be reached: Streamable HTTP error'],
  [404, 'protocol', 'does not keep to the protocol: Streamable HTTP error'],
])(
  '[MCP12] a transport of the SDK that meets %i is an error of its kind',
  async ([status, kind, words]) => {
    const { url } = await serverFor((_, response) => {
      response.writeHead(status).end()
      return true
    })

    await expect(mcpTools(over(url))).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(words),
    })
  },
)

test('[MCP12] a transport of the SDK whose server is gone says what to check', async () => {
  const server = await serverFor()
  await server.close()

  await expect(mcpTools(over(server.url))).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('Check that it runs, that the address is right'),
  })
})

test('what is neither an address, nor a transport, nor a function is refused at once', async () => {
  const address: unknown = { url: 'http://localhost' }

  await expect(mcpTools(address as McpEndpoint)).rejects.toThrow(TypeError)
})

test('headers for a transport are refused: it has its own', async () => {
  const headers = () => ({ authorization: 'Bearer a' })

  await expect(mcpTools(over('http://localhost'), { headers })).rejects.toThrow(
    'headers, authProvider and fetch are for an address.',
  )
})
