import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { createAgent, type JsonObject, type ToolCallView } from '../packages/core/src/index.ts'
import { type McpEndpoint, type McpOptions, mcpTools } from '../packages/core/src/mcp.ts'
import { call, say, scriptedModel } from '../packages/core/src/testing.ts'

/** A call of each tool, with what its card shows in the end. */
const calls: Readonly<Record<string, readonly [input: JsonObject, shown: object]>> = {
  echo: [{ message: 'hi' }, reads('Echo: hi')],
  'get-annotated-message': [
    { messageType: 'error', includeImage: true },
    { content: [{ type: 'text', text: 'Error: Operation failed' }, { type: 'image' }] },
  ],
  'get-env': [{}, reads('"PORT"')],
  'get-resource-links': [{ count: 2 }, reads('demo://resource/dynamic/text/2')],
  'get-resource-reference': [
    { resourceType: 'Text', resourceId: 1 },
    reads('Resource 1: This is a plaintext resource'),
  ],
  'get-structured-content': [
    { location: 'Chicago' },
    { structuredContent: { temperature: 36, humidity: 82 } },
  ],
  'get-sum': [{ a: 2, b: 3 }, reads('The sum of 2 and 3 is 5.')],
  'get-tiny-image': [{}, { content: expect.arrayContaining([image()]) }],
  'gzip-file-as-resource': [
    { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' },
    { artifacts: [{ name: 'a.gz', mediaType: 'application/gzip' }] },
  ],
  'toggle-simulated-logging': [{}, reads('Started simulated')],
  'toggle-subscriber-updates': [{}, reads('Started simulated')],
  'trigger-long-running-operation': [{ duration: 0.4, steps: 2 }, reads('operation completed')],
  'simulate-research-query': [{ topic: 'bees' }, reads('# Research Report: bees')],
}

/** A call of each tool that takes arguments, with wrong ones; the last two are wrong for the server alone. */
const refused: Readonly<Record<string, { readonly input: JsonObject; readonly says: string }>> = {
  echo: { input: {}, says: 'message' },
  'get-annotated-message': { input: { messageType: 'none' }, says: 'messageType' },
  'get-resource-links': { input: { count: 99 }, says: 'count' },
  'get-structured-content': { input: { location: 'Atlantis' }, says: 'location' },
  'get-sum': { input: { a: 'two', b: 3 }, says: 'a: ' },
  'trigger-long-running-operation': { input: { steps: 'few' }, says: 'steps' },
  'simulate-research-query': { input: { topic: 7 }, says: 'topic' },
  'get-resource-reference': { input: { resourceId: 0.5 }, says: 'Invalid resourceId: 0.5' },
  'gzip-file-as-resource': {
    input: { data: 'ftp://example.com/a' },
    says: 'Unsupported URL protocol for ftp://example.com/a',
  },
}

function reads(part: string): object {
  return {
    content: expect.arrayContaining([{ type: 'text', text: expect.stringContaining(part) }]),
  }
}

function image(): object {
  return { type: 'image', mediaType: 'image/png', data: expect.any(String) }
}

test('[MCP1] [MCP3] [MCP4] [MCP5] [MCP16] every tool of the reference server works from the page', async () => {
  const { tools, cards, asked, progress, runAll } = await agentOver(inject('everything'))

  expect(tools.problems).toEqual([])
  expect(tools.tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(calls).toSorted())
  await runAll(Object.keys(calls))

  for (const [name, [, shown]] of Object.entries(calls)) {
    expect(cards().get(name), name).toMatchObject({ status: 'succeeded', result: shown })
    expect(cards().get(name)?.label).not.toBe(name)
  }
  expect(progress.get('trigger-long-running-operation')).toMatchObject({ value: 2, total: 2 })
  // A stage of a task is seen only if it is asked for in time, so the clock decides which one is read last.
  expect(progress.get('simulate-research-query')).toMatchObject({
    status: expect.stringMatching(/^(Gathering|Analyzing|Synthesizing|Generating) [a-z ]+\.\.\.$/),
  })
  // The one that reaches beyond its server.
  expect(asked).toEqual(['gzip-file-as-resource'])
})

test('[MCP1] [MCP4] wrong arguments, and what the server refuses, are failed cards that say why', async () => {
  const { cards, runAll } = await agentOver(inject('everything'))
  for (const [name, { input, says }] of Object.entries(refused)) {
    await runAll([name], input)
    expect(cards().get(name), name).toMatchObject({ status: 'failed', result: reads(says) })
  }
})

test('[MCP12] each call of a server that is gone is a failed card, and the next run works', async () => {
  let address: string | undefined
  const { cards, runAll } = await agentOver(inject('everything'), {
    fetch: (url, init) => fetch(address ?? url, init),
  })
  address = inject('closed')
  await runAll(Object.keys(calls))

  for (const name of Object.keys(calls)) {
    const result = reads('cannot be reached. Check that it runs')
    expect(cards().get(name), name).toMatchObject({ status: 'failed', result })
  }
  address = undefined
  await runAll(['echo'])
  expect(cards().get('echo')).toMatchObject({ status: 'succeeded' })
})

test('[MCP6] each call can be cancelled, and the server is free for the next', async () => {
  let isHeld = true
  const { agent, cards, runAll } = await agentOver(inject('everything'), {
    // Long enough on its way to be cancelled there: most of the tools take a millisecond.
    fetch: (url, init) =>
      isHeld && String(init?.body).includes('tools/call') ? neverUntil(init) : fetch(url, init),
  })
  const names = Object.keys(calls)
  const ended = runAll(names)
  await expect.poll(() => running(cards())).toHaveLength(names.length)
  for (const { toolCallId } of running(cards())) expect(agent.cancelTool(toolCallId)).toBe(true)
  await ended

  for (const name of names) {
    expect(cards().get(name), name).toMatchObject({ status: 'cancelled', how: 'cooperative' })
  }
  isHeld = false
  await runAll(['echo'])
  expect(cards().get('echo')).toMatchObject({ status: 'succeeded' })
})

test('[MCP6] [MCP15] the tools work over a connection in a worker, and the page makes no request', async () => {
  const address = inject('everything')
  const send = vi.spyOn(globalThis, 'fetch')
  onTestFinished(() => send.mockRestore())
  const { agent, cards, runAll } = await agentOver(
    () =>
      new Worker(new URL('./page/mcp.worker.ts', import.meta.url), {
        type: 'module',
        name: address,
      }),
  )
  const names = Object.keys(calls).filter((name) => name !== 'simulate-research-query')
  await runAll(names)
  for (const name of names) {
    const [, shown] = calls[name] ?? []
    expect(cards().get(name), name).toMatchObject({ status: 'succeeded', result: shown })
  }

  const ended = runAll(['trigger-long-running-operation'], { duration: 60, steps: 600 })
  await expect.poll(() => running(cards())[0]?.progress?.value).toBeGreaterThan(0)
  for (const { toolCallId } of running(cards())) agent.cancelTool(toolCallId)
  await ended
  expect(cards().get('trigger-long-running-operation')).toMatchObject({
    status: 'cancelled',
    how: 'cooperative',
  })
  expect(send.mock.calls.filter(([url]) => String(url).startsWith(address))).toEqual([])
})

/** An agent with the tools of a server, whose user allows everything. */
async function agentOver(endpoint: McpEndpoint, options?: McpOptions) {
  const tools = await mcpTools(endpoint, options)
  // On a busy machine a server may take longer than usual to read a cancellation.
  const limits = { maxConcurrency: 32, abortGraceMs: 20_000 }
  const agent = createAgent({ model: scriptedModel(), tools, ...limits })
  const ids = new Map<string, string>()
  const asked: string[] = []
  const progress = new Map<string, unknown>()
  agent.subscribe((event) => {
    if (event.type === 'tool_execution_start') ids.set(event.toolName, event.toolCallId)
    if (event.type === 'tool_progress') progress.set(event.toolName, event)
    if (event.type !== 'tool_approval_requested') return
    const { toolCallId, toolName, argsDigest } = event
    asked.push(toolName)
    agent.respondToApproval(toolCallId, { decision: 'approve', argsDigest })
  })
  onTestFinished(async () => {
    agent.dispose()
    await tools.close()
  })
  const cards = (): Cards => {
    const { toolCalls } = agent.getState()
    return new Map([...ids].map(([name, id]) => [name, toolCalls.get(id)]))
  }
  /** One answer of the model that calls all of them. */
  const runAll = async (names: readonly string[], input?: JsonObject) => {
    const answer = names.map((name) => call(name, input ?? calls[name]?.[0] ?? {}))
    agent.configure({ model: scriptedModel(answer, [say('Done.')]) })
    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop', text: 'Done.' })
  }
  return { agent, tools, asked, progress, cards, runAll }
}

type Cards = ReadonlyMap<string, ToolCallView | undefined>

function running(cards: Cards): readonly ToolCallView[] {
  return [...cards.values()].flatMap((card) => (card?.status === 'running' ? [card] : []))
}

function neverUntil({ signal }: RequestInit = {}): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
  })
}
