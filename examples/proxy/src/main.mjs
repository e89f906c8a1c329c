import { createProxy } from './proxy.mjs'
import { readSettings } from './settings.mjs'

try {
  const { host, port, nats, ...settings } = readSettings(process.env)
  const log = (/** @type {import('./proxy.mjs').LogEntry} */ entry) =>
    console.log(JSON.stringify(entry))
  // Of all that is here only this needs a package.
  const { createNatsCredentials } = nats ? await import('./nats-credentials.mjs') : {}
  const natsCredentials = nats && createNatsCredentials?.(nats)
  const server = createProxy({ ...settings, ...(natsCredentials && { natsCredentials }), log })
  server.once('error', (error) => {
    console.error(
      `Cannot listen on ${host}:${port} (${error.message}). Set HOST or PORT to what is free.`,
    )
    process.exitCode = 1
  })
  server.listen(port, host, () => {
    const address = server.address()
    const actualPort = typeof address === 'object' ? address?.port : port
    console.log(`Listening on http://${host}:${actualPort} for ${settings.origins.join(', ')}`)
  })
} catch (error) {
  if (!(error instanceof TypeError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
