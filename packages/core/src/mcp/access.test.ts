import type { ServerResponse } from 'node:http'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { expect, test } from 'vitest'
import { connectTo, run, serverFor, start } from './mcp.fixtures.ts'
import { mcpTools } from './mcp-tools.ts'
import type { McpOptions } from './options.ts'

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

test.for(
  ['initialize', 'tools/list', 'tools/call'].flatMap((refused) =>
    (['authorization', 'x-workspace'] as const).map((header) => [refused, header] as const),
  ),
)(
  '[MCP10] an error by the rules does not quote a header either: %s, %s',
  async ([refused, header]) => {
    const token = 'pass-1'
    const server = await serverFor(
      ({ method, id }, response) =>
        method === refused &&
        refuse(response, { id, error: { code: -32_000, message: `No ${token}.` } }),
    )
    const headers = () => ({ [header]: `Bearer ${token}` })

    const outcome: unknown = await mcpTools(server.url, { headers }).then(
      async (tools) => [await run(tools, 'echo'), await tools.close()],
      (error: unknown) => String(error),
    )

    expect(JSON.stringify(outcome)).toContain('The MCP server refused: No [secret].')
    expect(JSON.stringify(outcome)).not.toContain(token)
  },
)

test('[MCP10] what else a server says does not quote a token, however it writes a character', async () => {
  const token = 'long/enough+to"be"a/token'
  const quoted = token.replaceAll('"', String.raw`\"`)
  const slashed = quoted.replaceAll('/', String.raw`\/`)
  const numbered = quoted.replace('+', String.raw`\u002B`)
  const { tools } = await connectTo(
    ({ method, id, headers }, response) => {
      if (method !== 'tools/call') return false
      expect(headers.authorization).toBe(`Bearer ${token}`)
      const text = `Bearer ${quoted} or ${slashed} or ${numbered} or ?t=${encodeURIComponent(token)}`
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const log = '"method":"notifications/message","params":{"level":"info","data":'
      response.write(`data: {"jsonrpc":"2.0",${log}"${text}"}}\n\n`)
      const result = `{"isError":true,"content":[{"type":"text","text":"${text}"}]}`
      response.end(`data: {"jsonrpc":"2.0","id":${String(id)},"result":${result}}\n\n`)
      return true
    },
    { headers: () => ({ authorization: `Bearer ${token}` }) },
  )
  const { done, recorder } = start(tools, 'echo')

  const hidden = '[secret] or [secret] or [secret] or ?t=[secret]'
  expect(await done).toMatchObject({ kind: 'threw', message: hidden })
  expect(JSON.stringify([await done, recorder.notices])).toContain(`info: ${hidden}`)
  expect(JSON.stringify([await done, recorder.notices])).not.toContain('enough')
})

test('[MCP10] what an authorization server says is not in the error, for it may quote a token', async () => {
  const server = await serverFor(({ http, headers }, response) => {
    const origin = `http://${headers.host}`
    const json = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      return true
    }
    if (http.includes('oauth-protected-resource')) {
      return json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] })
    }
    if (http.includes('oauth-authorization-server')) return json(200, metadataOf(origin))
    const error_description = 'The refresh token again-and-again is not known.'
    if (http === 'POST /token') return json(400, { error: 'invalid_grant', error_description })
    return json(401, {})
  })
  const authProvider = providerOf(
    () => 'old',
    () => {},
  )

  const error: unknown = await mcpTools(server.url, { authProvider }).catch((one: unknown) => one)

  expect(error).toMatchObject({
    kind: 'auth',
    message: expect.stringMatching(/^Signing in .* failed/),
  })
  expect(error).not.toHaveProperty('cause')
})

test('[MCP19] a token that is refused is renewed once, and the request sent again', async () => {
  let token = 'old'
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
      if (http.includes('oauth-authorization-server')) return json(metadataOf(origin))
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

test('[MCP19] of calls that are refused together one renews the token, and a Stop of that call is no hindrance', async () => {
  let [access, refresh, valid] = ['1', 'again 1', '1']
  const { server, tools } = await connectTo(
    ({ http, headers }, response) => {
      const origin = `http://${headers.host}`
      const json = (value: object, status = 200) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(value))
        return true
      }
      if (http.includes('oauth-protected-resource')) {
        return json({ resource: `${origin}/mcp`, authorization_servers: [origin] })
      }
      if (http.includes('oauth-authorization-server')) return json(metadataOf(origin))
      if (http === 'POST /token') {
        // A token for renewal is good for one time.
        const count = server.seen.filter((one) => one.http === 'POST /token').length
        if (count > 1) return json({ error: 'invalid_grant' }, 400)
        valid = '2'
        const tokens = { access_token: '2', refresh_token: 'again 2', token_type: 'Bearer' }
        setTimeout(() => json(tokens), 100)
        return true
      }
      return headers.authorization === `Bearer ${valid}` ? false : json({}, 401)
    },
    {
      authProvider: {
        ...providerOf(
          () => access,
          () => {},
        ),
        tokens: () => ({ access_token: access, refresh_token: refresh, token_type: 'Bearer' }),
        saveTokens: (saved) => {
          access = saved.access_token
          refresh = saved.refresh_token ?? ''
        },
      },
    },
  )
  valid = 'none'
  const first = start(tools, 'echo')
  await server.until(({ http }) => http === 'POST /token')

  const others = [run(tools, 'echo'), run(tools, 'echo')]
  await expect.poll(() => server.of('tools/call').length).toBe(3)
  first.execution.stop()

  expect(await first.done).toMatchObject({ kind: 'stopped' })
  expect(await Promise.all(others)).toMatchObject([{ kind: 'returned' }, { kind: 'returned' }])
  expect(server.seen.filter(({ http }) => http === 'POST /token')).toHaveLength(1)
  expect([access, refresh]).toEqual(['2', 'again 2'])
})

test('[MCP10] an address that a server names for signing in gets no cookies of the page', async () => {
  const asked = new Map<string, RequestInit['credentials']>()
  const fetch: McpOptions['fetch'] = async (address, init) => {
    const { origin, pathname } = new URL(address)
    asked.set(origin + pathname, init?.credentials)
    if (pathname.includes('protected-resource')) {
      const authorization_servers = ['https://evil.example']
      return Response.json({ resource: 'https://mcp.example/mcp', authorization_servers })
    }
    if (!pathname.includes('authorization-server')) return new Response(null, { status: 401 })
    const token_endpoint = 'https://page.example/api/delete'
    return Response.json({ ...metadataOf('https://evil.example'), token_endpoint })
  }
  const authProvider = providerOf(
    () => 'old',
    () => {},
  )

  const connecting = mcpTools('https://mcp.example/mcp', { authProvider, fetch })

  await expect(connecting).rejects.toMatchObject({ kind: 'auth' })
  expect(asked.get('https://page.example/api/delete')).toBe('omit')
  expect(asked.get('https://mcp.example/.well-known/oauth-protected-resource/mcp')).toBe(
    'same-origin',
  )
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

function refuse(response: ServerResponse, answer: object): true {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', ...answer }))
  return true
}

function metadataOf(origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    response_types_supported: ['code'],
  }
}

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
