import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { findNatsServer } from '../scripts/nats-server.mjs'

/** The example as its one command starts it. */
export interface Example {
  /** Of its page. */
  readonly address: string
  /** Ends its nats-server with SIGKILL. Returns what starts it again. */
  readonly killServer: () => () => void
  readonly stop: () => Promise<void>
}

/** Resolves when the page can be opened. */
export async function startExample(): Promise<Example> {
  const [nats, webSocket, port] = await freePorts()
  const child = spawn(process.execPath, ['examples/fleet/start.mjs'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NATS_SERVER: findNatsServer(),
      NATS_PORT: String(nats),
      NATS_WEBSOCKET_PORT: String(webSocket),
      PORT: String(port),
    },
  })
  const stop = async () => {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
  }
  let pid = 0
  let config = ''
  const killServer = () => {
    process.kill(pid, 'SIGKILL')
    return () => {
      const again = spawn(findNatsServer() ?? 'nats-server', ['--config', config])
      child.once('exit', () => again.kill('SIGKILL'))
    }
  }
  for await (const line of createInterface({ input: child.stdout })) {
    pid ||= Number(/^nats-server (\d+)/u.exec(line)?.[1] ?? 0)
    config ||= /configuration file: (\S+)/u.exec(line)?.[1] ?? ''
    const [, address] = /^Open (\S+)/.exec(line) ?? []
    if (address !== undefined) return { address, killServer, stop }
  }
  throw new Error('The example has ended.')
}

/** They are all taken before the first is given back. */
async function freePorts(): Promise<readonly number[]> {
  const servers = [createServer(), createServer(), createServer()]
  await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')))
  const ports = servers.map((server) => {
    const address = server.address()
    return typeof address === 'object' ? (address?.port ?? 0) : 0
  })
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
