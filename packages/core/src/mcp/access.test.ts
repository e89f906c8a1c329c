import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { expect, test } from 'vitest'
import { connectTo, run, serverFor } from './mcp.fixtures.ts'
import { mcpTools } from './mcp-tools.ts'

const secret = 'sk-1234567890'

test('[MCP10] the headers of an app are asked for and sent with every request', async () => {
  let count = 0
  const headers = () => {
    count += 1
    return Promise.resolve({ authorization: `Bearer ${count}` })
  }
  const { server, tools } = await connectTo(undefined, { headers })
  await run(tools, 'echo')

  const sent = server.seen.map(({ headers: { authorization } }) => authorization)
  expect(sent.length).toBeGreaterThan(3)
  expect(new Set(sent).size).toBe(sent.length)
})

test('[MCP10] no redirect is followed, and no error quotes what was sent or what a server says of it', async () => {
  const elsewhere = await serverFor()
  const headers = () => ({ authorization: `Bearer ${secret}` })
  for (const code of [302, 307, 401, 500]) {
    const server = await serverFor((_, response) => {
      response.writeHead(code, { location: elsewhere.url }).end(`Your key ${secret} is bad.`)
      return true
    })
    const error: unknown = await mcpTools(server.url, { headers }).catch((one: unknown) => one)
    expect(error).toMatchObject({ name: 'McpServerError' })
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(secret)
  }
  expect(elsewhere.seen).toEqual([])

  const broken = mcpTools(elsewhere.url, {
    headers: () => ({ authorization: `${secret}\n${secret}` }),
  })
  await expect(broken).rejects.toMatchObject({ kind: 'auth' })
  expect(String(await broken.catch((one: unknown) => one))).not.toContain(secret)
})

test('[MCP19] a token that is refused is renewed once, and the request sent again', async () => {
  let token = 'old'
  const metadata = (origin: string) => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    response_types_supported: ['code'],
  })
  const { server, tools } = await connectTo(
    ({ http, headers }, response) => {
      const origin = `http://${headers.host}`
      const json = (value: unknown) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
        return true
      }
      if (http.includes('oauth-protected-resource')) {
        return json({ resource: `${origin}/mcp`, authorization_servers: [origin] })
      }
      if (http.includes('oauth-authorization-server')) return json(metadata(origin))
      if (http === 'POST /token') return json({ access_token: 'new', token_type: 'Bearer' })
      if (headers.authorization === 'Bearer new') return false
      response.writeHead(401).end()
      return true
    },
    {
      authProvider: providerOf(
        () => token,
        (now) => (token = now),
      ),
      headers: () => ({ 'x-app': 'a' }),
    },
  )

  expect(await run(tools, 'echo', { text: 'in' })).toMatchObject({ kind: 'returned' })
  expect(server.seen.filter(({ http }) => http === 'POST /token')).toHaveLength(1)
  // The headers of the app are for the server, not for the one that gives tokens.
  for (const { http, headers } of server.seen) {
    expect([http, headers['x-app']]).toEqual([http, http.endsWith(' /mcp') ? 'a' : undefined])
  }
})

test('[MCP19] a server that never ends what it says about signing in is an error, and is not read for ever', async () => {
  let closed = 0
  const server = await serverFor(({ http }, response) => {
    if (http.startsWith('POST /mcp')) return response.writeHead(401).end() && true
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"a":"')
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more).on('close', () => (closed += 1))
    more()
    return true
  })
  const authProvider = providerOf(
    () => 'old',
    () => {},
  )

  const connecting = mcpTools(server.url, { authProvider, connectTimeoutMs: 20_000 })

  await expect(connecting).rejects.toMatchObject({ kind: 'auth' })
  expect(closed).toBeGreaterThan(0)
})

function providerOf(token: () => string, save: (token: string) => void): OAuthClientProvider {
  return {
    redirectUrl: 'http://localhost/back',
    clientMetadata: { redirect_uris: ['http://localhost/back'] },
    clientInformation: () => ({ client_id: 'page' }),
    tokens: () => ({ access_token: token(), token_type: 'Bearer', refresh_token: 'again' }),
    saveTokens: ({ access_token }) => save(access_token),
    redirectToAuthorization: () => {
      throw new Error('not expected')
    },
    saveCodeVerifier: () => {},
    codeVerifier: () => '',
  }
}
