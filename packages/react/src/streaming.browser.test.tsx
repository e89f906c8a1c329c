import {
  type Agent,
  type AgentState,
  createAgent,
  defineTool,
  implement,
  inPage,
  type ModelChunk,
  type ToolSchema,
} from '@offthread/core'
import { memo, Profiler, type ProfilerOnRenderCallback, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import { useAgent } from './use-agent.ts'
import { useToolCall } from './use-tool-call.ts'

const idleCards = 20
const deltas = 400
const usage = { inputTokens: 1, outputTokens: 1 }

test('[UI5] [UI11] streaming into message 201 renders messages 1–200 and idle cards zero times, at most once a frame', async () => {
  const agent = await withHistory()
  expect(agent.getState().messages).toHaveLength(199)
  const renders = new Map<string, number>()
  let commits = 0
  const count: ProfilerOnRenderCallback = () => {
    commits += 1
  }
  const container = show(
    <Profiler id="chat" onRender={count}>
      <Chat agent={agent} onRender={(id) => renders.set(id, (renders.get(id) ?? 0) + 1)} />
    </Profiler>,
  )
  expect(container.querySelectorAll('li')).toHaveLength(199)
  expect(container.querySelectorAll('p')).toHaveLength(idleCards)
  let durable = 0
  agent.store.subscribe(() => {
    durable += agent.getState().status === 'streaming' ? 0 : 1
  })
  const frames = countFrames()
  renders.clear()
  commits = 0

  await agent.prompt('And now?')
  await frames.next()

  const seen = frames.stop()
  const { messages } = agent.getState()
  expect(messages).toHaveLength(201)
  const [prompt, answer] = messages.slice(-2).map(({ id }) => id)
  expect([...renders.keys()].toSorted()).toEqual([prompt, answer].toSorted())
  expect(container.querySelectorAll('li')[200]?.textContent).toBe(words(deltas).join(''))
  expect(commits).toBeGreaterThan(3)
  expect(commits).toBeLessThanOrEqual(seen + durable)
  expect(commits).toBeLessThan(deltas / 2)
})

/** 199 messages, of which the first answer made 20 calls that have ended. */
async function withHistory(): Promise<Agent> {
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    place: 'page',
    inputSchema: anyObject,
  })
  let requests = 0
  const agent = createAgent({
    tools: inPage([implement(look, () => 'seen')]),
    model: {
      identity: { provider: 'test', id: 'test' },
      stream: async function* () {
        requests += 1
        if (requests === 1) yield* calls()
        else if (requests <= 100) yield* text([`Answer ${requests}.`])
        else yield* slowly(text(words(deltas)))
      },
    },
  })
  for (let prompt = 1; prompt <= 99; prompt++) await agent.prompt(`Question ${prompt}.`)
  // Waits until the last snapshot is published.
  await new Promise((resolve) => setTimeout(resolve))
  return agent
}

const anyObject: ToolSchema<object> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: () => ({ value: {} }),
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
  },
}

function* calls(): Generator<ModelChunk> {
  for (let contentIndex = 0; contentIndex < idleCards; contentIndex++) {
    yield { type: 'toolcall_start', contentIndex, toolName: 'look' }
    yield { type: 'toolcall_end', contentIndex }
  }
  yield { type: 'finish', stopReason: 'tool_use', usage }
}

function* text(pieces: readonly string[]): Generator<ModelChunk> {
  yield { type: 'text_start', contentIndex: 0 }
  for (const delta of pieces) yield { type: 'text_delta', contentIndex: 0, delta }
  yield { type: 'text_end', contentIndex: 0 }
  yield { type: 'finish', stopReason: 'stop', usage }
}

/** As from a network: a few chunks in each task. */
async function* slowly(chunks: Iterable<ModelChunk>): AsyncGenerator<ModelChunk> {
  let index = 0
  for (const chunk of chunks) {
    if (index++ % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    yield chunk
  }
}

function words(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `word ${index} `)
}

interface Counted {
  readonly agent: Agent
  readonly onRender: (id: string) => void
}

function Chat({ agent, onRender }: Counted) {
  const { messages } = useAgent(agent)
  return (
    <ul>
      {messages.map((message) => (
        <Message key={message.id} agent={agent} message={message} onRender={onRender} />
      ))}
    </ul>
  )
}

interface MessageProps extends Counted {
  readonly message: AgentState['messages'][number]
}

// `onRender` is the same for every message, so only the message is compared.
const Message = memo(
  function Message({ agent, message, onRender }: MessageProps) {
    onRender(message.id)
    return (
      <li>
        {message.content.map((part, index) =>
          part.type === 'toolCall' ? (
            <Card key={part.toolCallId} agent={agent} id={part.toolCallId} onRender={onRender} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end
            <span key={index}>{part.type === 'text' ? part.text : null}</span>
          ),
        )}
      </li>
    )
  },
  (before, after) => before.message === after.message,
)

function Card({ agent, id, onRender }: Counted & { readonly id: string }) {
  const call = useToolCall(agent, id)
  onRender(id)
  return <p>{call?.status}</p>
}

function countFrames() {
  let count = 0
  let waiting = requestAnimationFrame(function next() {
    count += 1
    waiting = requestAnimationFrame(next)
  })
  return {
    next: () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())),
    stop: () => {
      cancelAnimationFrame(waiting)
      return count
    },
  }
}

// Not in `act`: after the first render React renders by its own scheduler, as in a real page.
function show(page: ReactNode): HTMLElement {
  const container = document.createElement('div')
  const root = createRoot(container)
  onTestFinished(() => root.unmount())
  flushSync(() => root.render(page))
  return container
}
