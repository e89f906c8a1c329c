import { createServer } from 'node:http'

/** Where nothing of isolated code may arrive. It reports what has. */
export async function serveOutside() {
  /** @type {string[]} */
  let arrived = []
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('content-type', 'text/html')
    if (url === '/arrived') {
      response.end(arrived.join('\n'))
      arrived = []
    } else {
      arrived.push(url)
      response.end('<p>outside')
    }
  })
  server.on('upgrade', ({ url = '' }, socket) => {
    arrived.push(url)
    socket.destroy()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    origin: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
