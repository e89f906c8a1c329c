import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startNats, startNatsCluster } from './start-nats.mjs'

test('a server starts, and again after SIGKILL, at the same address', async () => {
  const server = await startNats()
  onTestFinished(server.stop)
  const before = await greetingOf(server.url)
  expect(before).toMatchObject({ jetstream: true })
  const answer = await fetch(server.webSocketUrl.replace('ws:', 'http:'))
  expect(answer.status).toBe(400)

  await server.kill()
  await expect(greetingOf(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await server.start()

  expect(await greetingOf(server.url)).not.toMatchObject({ server_id: before['server_id'] })
})

test('three servers are one cluster', async () => {
  const servers = await startNatsCluster()
  onTestFinished(async () => {
    await Promise.all(servers.map(({ stop }) => stop()))
  })

  const greetings = await Promise.all(servers.map(({ url }) => greetingOf(url)))

  expect(greetings.map((greeting) => greeting['cluster'])).toEqual(Array(3).fill('offthread'))
  expect(new Set(greetings.map((greeting) => greeting['server_name'])).size).toBe(3)
})

/** What a server says first, as far as the tests read it. */
interface Greeting {
  readonly server_id: string
  readonly server_name: string
  readonly cluster?: string
  readonly jetstream?: boolean
}

async function greetingOf(url: string): Promise<Greeting> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  const [chunk] = await once(socket, 'data')
  const greeting: Greeting = JSON.parse(String(chunk).replace(/^INFO /u, ''))
  return greeting
}
