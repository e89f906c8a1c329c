import {
  createAgent,
  defineTool,
  implement,
  inPage,
  type Model,
  type ModelChunk,
} from '@offthread/core'
import { cleanup, configure, render, screen } from '@testing-library/react'
import { Profiler } from 'react'
import { afterEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { z } from 'zod'
import type { DemoAgent } from '../agent.ts'
import { App } from '../app.tsx'
import { countRenders } from '../render-report.ts'
import { createSession } from '../session.ts'
import { hostTools } from '../tools/host-tools.ts'
import { createDataStore } from '../tools/tables.ts'

// Beside other tests a page may be late; the default is a second.
configure({ asyncUtilTimeout: 20_000 })

afterEach(cleanup)

test('renders only the message that streams', async () => {
  const agent = createTestAgent()
  for (let turn = 0; turn < 20; turn += 1) await agent.prompt('call')
  for (let turn = 0; turn < 70; turn += 1) await agent.prompt('say')
  const old = agent.getState().messages
  let commits = 0
  render(
    <Profiler id="app" onRender={() => commits++}>
      <App session={createSession(agent as DemoAgent, options)} />
    </Profiler>,
  )
  await showAll()
  await expect.poll(() => screen.getAllByRole('article')).toHaveLength(200)

  const renders = countRenders()
  const frames = countFrames()
  let durable = 0
  agent.subscribe(({ sub }) => {
    if (sub === undefined) durable += 1
  })
  commits = 0
  await agent.prompt('stream')
  await nextFrame()

  expect(old.filter(({ id }) => renders.has(`message:${id}`))).toEqual([])
  expect([...renders.keys()].filter((key) => key.startsWith('card:'))).toEqual([])
  expect(screen.getAllByRole('article').at(-1)?.textContent).toContain('word 199')
  expect(commits).toBeGreaterThan(5)
  expect(commits).toBeLessThanOrEqual(frames.count() + durable)
})

test('opens a chat of many calls a few in a frame, the last ones first, and stays at its end', async () => {
  const agent = createTestAgent()
  for (let turn = 0; turn < 20; turn += 1) await agent.prompt('twelve')
  render(<App session={createSession(agent as DemoAgent, options)} />)
  const articles = () => screen.getAllByRole('article').length
  const log = screen.getByRole('log')
  expect(articles()).toBeLessThan(15)
  expect(log.textContent).toContain('An answer, bold')

  for (let before = document.querySelectorAll('*').length; articles() < 60; ) {
    await nextFrame()
    const count = document.querySelectorAll('*').length
    expect(count - before).toBeLessThan(3000)
    before = count
    expect(log.scrollHeight - log.clientHeight - log.scrollTop).toBeLessThan(32)
  }

  expect(screen.getAllByText('note')).toHaveLength(240)
})

test('keeps what was typed, and stops with Escape', async () => {
  const agent = createTestAgent()
  render(<App session={createSession(agent as DemoAgent, options)} />)
  const field = screen.getByRole('textbox', { name: 'Message' })

  await userEvent.type(field, 'hold{Enter}')
  await screen.findByRole('button', { name: 'Stop' })
  await userEvent.type(field, 'typed meanwhile')

  expect(field).toHaveProperty('value', 'typed meanwhile')
  expect(document.activeElement).toBe(field)

  await userEvent.keyboard('{Escape}')

  await screen.findByRole('button', { name: 'Send' })
  expect(await screen.findByText(/^Stopped after/)).toBeTruthy()
  expect(field).toHaveProperty('value', 'typed meanwhile')
})

test('says that an answer failed, and asks again without asking twice', async () => {
  const agent = createTestAgent()
  const triggers: string[] = []
  agent.subscribe((event) => {
    if (event.type === 'agent_start') triggers.push(event.trigger)
  })
  render(<App session={createSession(agent as DemoAgent, options)} />)

  await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), 'fail{Enter}')
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await expect.poll(() => triggers).toEqual(['prompt', 'continue'])
  await screen.findAllByText('No answer today.')

  expect(agent.getState().messages.filter(({ role }) => role === 'user')).toHaveLength(1)
})

const note = defineTool({
  name: 'note',
  description: 'Notes a text.',
  inputSchema: z.object({ text: z.string() }),
  place: 'page',
})

const options = { dev: false, store: createDataStore() }

function createTestAgent() {
  const tools = [...hostTools(options), inPage([implement(note, ({ text }) => text)])]
  return createAgent({ model, tools })
}

const usage = { inputTokens: 1, outputTokens: 1 }

/** Does what the last message says. */
const model: Model = {
  identity: { provider: 'test', id: 'test' },
  stream: ({ messages }, { signal }) => {
    const last = messages.at(-1)
    const part = last?.role === 'user' ? last.content[0] : undefined
    return answer(part?.type === 'text' ? part.text : 'say', signal)
  },
}

async function* answer(what: string, signal: AbortSignal): AsyncGenerator<ModelChunk> {
  if (what === 'fail') throw new Error('No answer today.')
  const calls = { call: 1, twelve: 12 }[what] ?? 0
  for (let contentIndex = 0; contentIndex < calls; contentIndex += 1) {
    yield { type: 'toolcall_start', contentIndex, toolName: 'note' }
    yield { type: 'toolcall_delta', contentIndex, delta: `{"text":"noted ${contentIndex}"}` }
    yield { type: 'toolcall_end', contentIndex }
  }
  if (calls > 0) {
    yield { type: 'finish', stopReason: 'tool_use', usage }
    return
  }
  yield { type: 'text_start', contentIndex: 0 }
  yield { type: 'text_delta', contentIndex: 0, delta: 'An answer, **bold**.\n\n' }
  if (what === 'hold') await aborted(signal)
  for (let word = 0; what === 'stream' && word < 200; word += 1) {
    yield { type: 'text_delta', contentIndex: 0, delta: `word ${word}${word % 20 ? ' ' : '\n\n'}` }
    if (word % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  yield { type: 'text_end', contentIndex: 0 }
  yield { type: 'finish', stopReason: 'stop', usage }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

async function showAll(): Promise<void> {
  for (;;) {
    const earlier = screen.queryByRole('button', { name: /^Show earlier/ })
    if (!earlier) return
    await userEvent.click(earlier)
  }
}

function countFrames(): { readonly count: () => number } {
  let frames = 0
  const next = () => {
    frames += 1
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
  return { count: () => frames }
}

function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}
