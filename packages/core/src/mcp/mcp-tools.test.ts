import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { catchReports } from '../agent/agent.fixtures.ts'
import { createAgent } from '../agent/create-agent.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { checkTools } from '../tools/check-tools.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { echoTool, reply, stream } from './fake-server.fixtures.ts'
import { connectTo, run, serverFor, start } from './mcp.fixtures.ts'
import { mcpTools } from './mcp-tools.ts'

const text = (words: string) => ({ type: 'text', text: words })

test('[MCP1] the tools of a server are a host of an agent, and its calls are cards', async () => {
  const { server, tools } = await connectTo()
  const model = scriptedModel([call('echo', { text: 'hi' })], [say('Done.')])
  const agent = createAgent({ model, tools: [tools] })

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop', text: 'Done.' })

  const [, answer] = agent.getState().messages
  const part = answer?.content.find(({ type }) => type === 'toolCall')
  const card = agent.getState().toolCalls.get(part && 'toolCallId' in part ? part.toolCallId : '')
  expect(card).toMatchObject({ status: 'succeeded', label: 'echo' })
  expect(card?.result?.content).toEqual([text('hi')])
  expect(server.of('tools/call')[0]?.params).toMatchObject({
    name: 'echo',
    arguments: { text: 'hi' },
  })
  expect(tools.server).toEqual({ name: 'vendor/fake', version: '1.2.3' })
  agent.dispose()
})

test('[MCP2] a name that another tool of the agent has gets the name of the server in front', async () => {
  const own = defineTool({
    name: 'echo',
    description: 'Mine.',
    inputSchema: z.object({}),
    place: 'client',
  })
  const beside = inClient([own])
  const { tools } = await connectTo(undefined, { beside })
  const { tools: named } = await connectTo(undefined, { beside: [beside], prefix: 'files' })

  expect(tools.tools.map(({ name }) => name)).toEqual(['fake_echo'])
  expect(named.tools.map(({ name }) => name)).toEqual(['files_echo'])
  expect(await run(tools, 'fake_echo', { text: 'a' })).toMatchObject({ kind: 'returned' })
})

test.for<readonly [what: string, result: object, settlement: object]>([
  [
    'content and structured content',
    { content: [text('One.')], structuredContent: { n: 1 } },
    { kind: 'returned', result: { content: [text('One.')], structuredContent: { n: 1 } } },
  ],
  [
    'structured content alone',
    { content: [], structuredContent: { n: 1 } },
    { kind: 'returned', result: { content: [text('{"n":1}')], structuredContent: { n: 1 } } },
  ],
  [
    'structured content that does not fit',
    { content: [text('One.')], structuredContent: { n: 'one' } },
    { kind: 'threw', errorKind: 'invalid_result' },
  ],
  [
    'an error of the tool',
    { content: [text('No such row.')], isError: true },
    { kind: 'threw', errorKind: 'failed', message: 'No such row.' },
  ],
  ['an error without a word', { isError: true }, { kind: 'threw', message: 'The tool failed.' }],
  [
    'an error beside a file, which a failure does not keep',
    { content: [{ type: 'audio', mimeType: 'audio/wav', data: 'AAEC' }], isError: true },
    { kind: 'threw', message: '[The file audio-1 (audio/wav, 3 bytes) is not shown here.]' },
  ],
])('[MCP4] a result is one of ours: %s', async ([, result, settlement]) => {
  const outputSchema = { type: 'object', properties: { n: { type: 'number' } } }
  const { tools } = await connectTo(
    ({ method, id }, response) => method === 'tools/call' && reply(response, id, result),
    { tools: [{ ...echoTool, outputSchema }] },
  )

  expect(await run(tools, 'echo')).toMatchObject(settlement)
})

test('[MCP20] no code is made of text: a policy without unsafe-eval is no hindrance', async () => {
  const refuse = () => {
    throw new EvalError('No code from strings.')
  }
  const withoutEval: unknown = new Proxy(Function, { construct: refuse, apply: refuse })
  vi.stubGlobal('Function', withoutEval)
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(() => new Function('return 1')).toThrow(EvalError)
  const structuredContent = { n: 1 }
  const outputSchema = { type: 'object', properties: { n: { type: 'number' } } }
  const { tools } = await connectTo(
    ({ method, id }, response) =>
      method === 'tools/call' && reply(response, id, { content: [], structuredContent }),
    { tools: [{ ...echoTool, outputSchema }] },
  )

  expect(await run(tools, 'echo')).toMatchObject({ result: { structuredContent } })
})

test.for([
  ['Application/JSON; charset=UTF-8', (message: string) => message],
  ['Text/Event-Stream', (message: string) => `data: ${message}\n\n`],
] as const)('an answer may come as %s', async ([type, write]) => {
  const { tools } = await connectTo(({ method, id }, response) => {
    if (method !== 'tools/call') return false
    response.writeHead(200, { 'content-type': type })
    response.end(write(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [text('Hi.')] } })))
    return true
  })

  expect(await run(tools, 'echo')).toMatchObject({ result: { content: [text('Hi.')] } })
})

test('[MCP4] bytes that no part holds are artifacts', async () => {
  const content = [{ type: 'audio', mimeType: 'audio/wav', data: 'AAEC' }]
  const { tools } = await connectTo(
    ({ method, id }, response) => method === 'tools/call' && reply(response, id, { content }),
  )

  expect(await run(tools, 'echo')).toMatchObject({
    result: {
      content: [text('[The file audio-1 (audio/wav, 3 bytes) is not shown here.]')],
      artifacts: [
        { name: 'audio-1', mediaType: 'audio/wav', data: new Uint8Array([0, 1, 2]).buffer },
      ],
    },
  })
})

test('[MCP5] progress and log messages are those of the call, all of them before its end', async () => {
  const { tools } = await connectTo(({ method, id, params }, response) => {
    if (method !== 'tools/call') return false
    const { progressToken } = Object(params['_meta'])
    const progress = (value: number) => ({
      method: 'notifications/progress',
      params: { progressToken, progress: value, total: 2, message: `Step ${value}` },
    })
    const log = { level: 'warning', logger: 'db', data: { slow: true } }
    return stream(
      response,
      progress(1),
      { method: 'notifications/message', params: log },
      progress(2),
      { id, result: { content: [] } },
    )
  })
  const { recorder, done } = start(tools, 'echo')

  expect(await done).toMatchObject({ kind: 'returned' })
  expect(recorder.notices).toEqual([
    { type: 'running' },
    { type: 'progress', progress: { value: 1, total: 2, message: 'Step 1' } },
    {
      type: 'log',
      dropped: 0,
      lines: [expect.objectContaining({ text: 'warning db: {"slow":true}' })],
    },
    { type: 'progress', progress: { value: 2, total: 2, message: 'Step 2' } },
  ])
})

test('[MCP14] a changed list is a new host, and the old tools stay until the agent gets it', async () => {
  let changes = 0
  const { server, tools } = await connectTo(undefined, { onToolsChanged: () => (changes += 1) })
  await server.until(({ http }) => http.startsWith('GET'))
  expect(await tools.refresh()).toBe(tools)

  server.tools = [echoTool, { ...echoTool, name: 'new' }]
  server.say({ method: 'notifications/tools/list_changed' })
  await expect.poll(() => changes).toBe(1)
  const now = await tools.refresh()

  expect(tools.tools.map(({ name }) => name)).toEqual(['echo'])
  expect(now.tools.map(({ name }) => name)).toEqual(['echo', 'new'])
  expect(await run(now, 'new', { text: 'a' })).toMatchObject({ kind: 'returned' })
  expect(await run(tools, 'echo', { text: 'a' })).toMatchObject({ kind: 'returned' })
  expect(server.of('initialize')).toHaveLength(1)

  server.tools = []
  const empty = await now.refresh()
  expect(empty.tools).toEqual([])
  await expect(checkTools(now)).rejects.toThrow(
    'The MCP server has these tools no more: echo, new. Call refresh.',
  )
})

test('[MCP14] what onToolsChanged throws is reported, and changes nothing', async () => {
  const reports = catchReports()
  const thrown = new Error('A mistake of the app')
  const { server, tools } = await connectTo(undefined, {
    onToolsChanged: () => {
      throw thrown
    },
  })
  await server.until(({ http }) => http.startsWith('GET'))

  server.say({ method: 'notifications/tools/list_changed' })

  await expect.poll(() => reports).toEqual([thrown])
  expect(await run(tools, 'echo', { text: 'a' })).toMatchObject({ kind: 'returned' })
})

test('[MCP17] resources and prompts are functions, and nothing of them is sent by itself', async () => {
  const resources = [{ uri: 'file:///a', name: 'a' }]
  const messages = [
    { role: 'user', content: text('Say it.') },
    { role: 'assistant', content: { type: 'resource', resource: { uri: 'x:y', text: 'It.' } } },
  ]
  const answers: Readonly<Record<string, object>> = {
    'resources/list': { resources, nextCursor: 'more' },
    'resources/read': { contents: [{ uri: 'file:///a', text: 'A.' }] },
    'resources/templates/list': { resourceTemplates: [] },
    'prompts/list': { prompts: [{ name: 'p' }] },
    'prompts/get': { messages },
  }
  const { server, tools } = await connectTo(({ method, id, params }, response) => {
    const result = params['cursor'] === 'more' ? { resources } : answers[method]
    return result !== undefined && reply(response, id, result)
  })
  const model = scriptedModel([say('Done.')])
  const agent = createAgent({ model, tools: [tools] })
  await agent.prompt('Go.')

  expect(server.seen.filter(({ method }) => method in answers)).toEqual([])
  expect(JSON.stringify(model.requests)).not.toContain('Be kind.')
  expect(tools.instructions).toBe('Be kind.')
  expect(await tools.listResources()).toEqual([...resources, ...resources])
  expect(await tools.listResourceTemplates()).toEqual([])
  expect(await tools.readResource('file:///a')).toEqual({
    content: [text('file:///a\nA.')],
    files: [],
  })
  expect(await tools.listPrompts()).toEqual([{ name: 'p' }])
  expect(await tools.getPrompt('p', { to: 'you' })).toEqual([
    { role: 'user', content: [text('Say it.')], files: [] },
    { role: 'assistant', content: [text('x:y\nIt.')], files: [] },
  ])
  expect(server.of('prompts/get')[0]?.params).toMatchObject({ arguments: { to: 'you' } })
  agent.dispose()
})

test('options that make no sense are refused at once', async () => {
  const server = await serverFor()
  const make = () => {
    throw new Error('not called')
  }
  for (const [endpoint, options, problem] of [
    ['nowhere', {}, 'The address of an MCP server must begin with'],
    ['https://key@a.example', {}, 'without a user name'],
    [server.url, { timeoutMs: 0 }, 'timeoutMs must be'],
    [server.url, { connectTimeoutMs: Number.NaN }, 'connectTimeoutMs must be'],
    [server.url, { prefix: 'a b' }, 'prefix must be'],
    [make, { headers: () => ({}) }, 'headers, authProvider and fetch are for an address'],
  ] as const) {
    await expect(mcpTools(endpoint, options)).rejects.toThrow(problem)
  }
  expect(server.seen).toEqual([])
})
