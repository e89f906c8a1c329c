import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

/** The reference server of MCP, which has every feature of the protocol, in a process of its own. */
export async function startEverythingServer(): Promise<{
  readonly url: string
  readonly close: () => Promise<void>
}> {
  const script = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-everything/dist/index.js',
  )
  const port = await freePort()
  const server = spawn(process.execPath, [script, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // It says that it listens, and nothing before.
  await once(server.stderr, 'data')
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      const exit = once(server, 'exit')
      server.kill('SIGKILL')
      await exit
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
