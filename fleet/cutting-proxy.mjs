import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/**
 * A server between a client and a nats-server, which cuts the connection on command.
 *
 * @typedef {object} CuttingProxy
 * @property {string} url
 * @property {(when: 'before' | 'after', skipped?: number) => void} cutNext cuts at the next message to a log, or the one after
 *   so many: before the server has it, or after that, before its answer has arrived
 * @property {() => number} cuts how often it has cut
 * @property {(isOpen: boolean) => void} setOpen cuts all connections, and takes no new ones before it is open again
 * @property {() => void} close
 *
 * @param {string} url of the server
 * @param {(text: string) => string} [change] what the server says first
 * @returns {Promise<CuttingProxy>}
 */
export async function startCuttingProxy(url, change = (text) => text) {
  const { hostname, port } = new URL(url)
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  /** @type {'before' | 'after' | 'answer' | undefined} */
  let due
  let skips = 0
  let cuts = 0
  let isOpen = true
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }

  const proxy = createServer((client) => {
    if (!isOpen) return void client.destroy()
    const server = connect(Number(port), hostname)
    const both = [client, server]
    let isFirst = true
    const end = () => {
      for (const socket of both) socket.destroy()
    }
    const cut = () => {
      due = undefined
      cuts += 1
      end()
    }
    client.on('data', (chunk) => {
      const isMessage = /^HPUB \S+\.log\.\S/mu.test(chunk.toString('latin1'))
      const isAppend = isMessage && due !== undefined && skips === 0
      if (isMessage && skips > 0) skips -= 1
      if (isAppend && due === 'before') return cut()
      if (isAppend && due === 'after') due = 'answer'
      server.write(chunk)
    })
    server.on('data', (chunk) => {
      if (due === 'answer' && /"seq": ?\d/u.test(chunk.toString('latin1'))) return cut()
      client.write(isFirst ? change(chunk.toString('latin1')) : chunk)
      isFirst = false
    })
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
  })
  return {
    url: `nats://127.0.0.1:${await portOf(proxy)}`,
    cutNext: (when, skipped = 0) => {
      due = when
      skips = skipped
    },
    cuts: () => cuts,
    setOpen: (whether) => {
      isOpen = whether
      if (!isOpen) endAll()
    },
    close: () => {
      proxy.close()
      endAll()
    },
  }
}

/** @param {import('node:net').Server} proxy */
async function portOf(proxy) {
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  return typeof address === 'object' ? address?.port : undefined
}
