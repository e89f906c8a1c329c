import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen, page, textOf } from './servers.fixtures.mjs'
import { readSettings } from './settings.mjs'

const complete = {
  ANTHROPIC_API_KEY: 'sk-canary-of-the-server-4567',
  PROXY_TOKEN: 'token-of-the-page-0123',
  ALLOWED_ORIGINS: page,
  ALLOWED_MODELS: 'claude-test, gpt-test,',
}

describe('the settings', () => {
  test('are read from the environment, with defaults', () => {
    expect(readSettings({ ...complete, PORT: '' })).toMatchObject({
      origins: [page],
      limits: {
        ...{ models: ['claude-test', 'gpt-test'], maxTokens: 8192, maxBodyBytes: 8_388_608 },
        ...{ maxBodyMs: 60_000, maxSilenceMs: 120_000 },
      },
      upstreams: { anthropic: { baseURL: 'https://api.anthropic.com' } },
      host: '127.0.0.1',
      port: 8787,
    })
    expect(readSettings(complete).upstreams).not.toHaveProperty('openai')
    expect(readSettings(complete)).not.toHaveProperty('addressHeader')
    expect(readSettings({ ...complete, ADDRESS_HEADER: 'X-Real-IP' })).toMatchObject({
      addressHeader: 'x-real-ip',
    })
  })

  test.each([
    [{ ANTHROPIC_API_KEY: '' }, 'There is no key. Set ANTHROPIC_API_KEY or OPENAI_API_KEY.'],
    [{ ANTHROPIC_API_KEY: 'sk canary' }, 'ANTHROPIC_API_KEY has a character no key has.'],
    [{ PROXY_TOKEN: 'short' }, 'Set PROXY_TOKEN to 16 characters or more.'],
    [{ ALLOWED_ORIGINS: ' ' }, 'Set ALLOWED_ORIGINS: one or more, with a comma between them.'],
    [{ ALLOWED_ORIGINS: '*' }, 'ALLOWED_ORIGINS: "*" is no origin. Write https://example.com.'],
    [
      { ALLOWED_ORIGINS: `${page}/` },
      `ALLOWED_ORIGINS: "${page}/" is no origin. Write https://example.com.`,
    ],
    [{ ALLOWED_MODELS: '' }, 'Set ALLOWED_MODELS: one or more, with a comma between them.'],
    [{ MAX_TOKENS: 'many' }, 'MAX_TOKENS must be a whole number above 0.'],
    // A timer of so many seconds is over at once.
    [{ MAX_SILENCE_SECONDS: '3000000' }, 'MAX_SILENCE_SECONDS must be at most 300.'],
    [{ MAX_BODY_SECONDS: '301' }, 'MAX_BODY_SECONDS must be at most 300.'],
    [
      { ANTHROPIC_BASE_URL: 'https://me:word@api.example' },
      'ANTHROPIC_BASE_URL is no http or https URL, without a user name.',
    ],
    [
      { NATS_ACCOUNTS: 'package.json' },
      'NATS_ACCOUNTS names no file that make-nats-accounts.mjs has written.',
    ],
    [
      { ANTHROPIC_BASE_URL: 'api.example' },
      'ANTHROPIC_BASE_URL is no http or https URL, without a user name.',
    ],
  ])('say what is wrong in %j', (wrong, sentence) => {
    expect(() => readSettings({ ...complete, ...wrong })).toThrow(new TypeError(sentence))
  })
})

describe('the server', () => {
  test('starts with Node alone, passes a request on and logs it', async () => {
    const upstream = await listen((_, response) => response.end('{"id":"m"}'))
    const server = start({ ...complete, ANTHROPIC_BASE_URL: upstream, PORT: '0' })
    const [started] = await once(server.stdout, 'data')
    const [, address] = /^Listening on (.+) for (.+)\n$/.exec(String(started)) ?? []

    const response = await fetch(`${address}/anthropic/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${complete.PROXY_TOKEN}` },
      body: '{"model":"claude-test"}',
    })

    expect(await response.text()).toBe('{"id":"m"}')
    const [line] = await once(server.stdout, 'data')
    expect(JSON.parse(String(line))).toMatchObject({ status: 200, maxTokens: 8192 })
  })

  test('holds a body of many small pieces in no more memory than one of few', async () => {
    const upstream = await listen((_, response) => response.end('{"id":"m"}'))
    const settings = { ...complete, ANTHROPIC_BASE_URL: upstream, PORT: '0' }
    // A piece of one byte by itself takes a hundred bytes or more.
    const server = start({ ...settings, NODE_OPTIONS: '--max-old-space-size=32' })
    const [started] = await once(server.stdout, 'data')
    const [, port] = /^Listening on .*:(\d+) for/.exec(String(started)) ?? []
    const socket = connect(Number(port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())

    const head = `authorization: Bearer ${complete.PROXY_TOKEN}\r\ntransfer-encoding: chunked`
    socket.write(`POST /anthropic/v1/messages HTTP/1.1\r\nhost: proxy\r\n${head}\r\n\r\n`)
    for (let n = 0; n < 60; n += 1) {
      if (!socket.write('1\r\n \r\n'.repeat(10_000))) await once(socket, 'drain')
    }
    socket.write('17\r\n{"model":"claude-test"}\r\n0\r\n\r\n')
    const [answer] = await once(socket, 'data')

    expect(String(answer)).toMatch(/^HTTP\/1.1 200 OK/)
  })

  test('says in one sentence why it does not start', async () => {
    const server = start({ ...complete, PROXY_TOKEN: '' })

    const [said, [code]] = await Promise.all([textOf(server.stderr), once(server, 'exit')])

    expect([code, said]).toEqual([1, 'Set PROXY_TOKEN to 16 characters or more.\n'])
  })

  test('says that its port is taken', async () => {
    const { port } = new URL(await listen(() => {}))
    const server = start({ ...complete, PORT: port })

    const [said, [code]] = await Promise.all([textOf(server.stderr), once(server, 'exit')])

    expect(code).toBe(1)
    expect(said).toMatch(
      new RegExp(`^Cannot listen on 127\\.0\\.0\\.1:${port} .*PORT to what is free`),
    )
  })
})

/** @param {Record<string, string>} environment */
function start(environment) {
  const main = fileURLToPath(new URL('./main.mjs', import.meta.url))
  const server = spawn(process.execPath, [main], { env: environment })
  onTestFinished(() => void server.kill())
  return server
}
