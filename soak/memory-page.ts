import {
  createAgent,
  inWorkers,
  memoryStorage,
  type SessionStorage,
} from '../packages/core/src/index.ts'
import type { DurableEvent } from '../packages/core/src/kernel/events.ts'
import { textOf } from '../packages/core/src/kernel/message.ts'
import type { ModelRequest } from '../packages/core/src/model/port.ts'
import { call, say, scriptedModel } from '../packages/core/src/testing.ts'
import { faultTool } from '../packages/core/src/tools/fixtures/faults.fixtures.ts'
import { inIsolation } from '../packages/isolated/src/index.ts'

const sessionId = 'soak'
const storages = {
  /** A storage outside the page, which is kept when the page dies. */
  outside: {
    ...memoryStorage(),
    read: async (_id, from = 0) => {
      const log = await post('/load', {})
      return isLog(log) ? log.slice(from) : []
    },
    append: async (_id, { head }, events) => {
      await post('/append', { head, events })
    },
  },
  memory: memoryStorage(),
} satisfies Record<string, SessionStorage>

async function post(path: string, body: object): Promise<unknown> {
  const response = await fetch(path, { method: 'POST', body: JSON.stringify(body) })
  return response.json()
}

/** The server returns what this page has posted. */
function isLog(value: unknown): value is readonly DurableEvent[] {
  return Array.isArray(value)
}

/** The page's heartbeat continues while the tool fills its heap: it only stops when the page dies. */
function hungryAt(place: 'worker' | 'isolated') {
  return faultTool({ place, maxSilenceMs: 5000, timeoutMs: 120_000 })
}

/** Lets a model call the tool. Reports what the model reads of it, and that this page is alive. */
async function eat(place: 'worker' | 'isolated', how: string): Promise<void> {
  const host =
    place === 'worker'
      ? inWorkers([hungryAt(place)], () => new Worker('/worker.js', { type: 'module' }))
      : inIsolation([hungryAt(place)], { url: '/worker.js' })
  const model = scriptedModel([call('fault', { how })], [say('I have read it.')])
  const agent = createAgent({ model, tools: host, storage: storages.outside, sessionId })
  setInterval(() => void post('/beat', {}), 200)
  const ends: object[] = []
  agent.subscribe((event) => {
    if (event.type !== 'tool_execution_end') return
    const { outcome, errorKind } = event
    ends.push({ outcome, errorKind })
  })
  const { reason } = await agent.prompt('Eat.')
  await post('/ended', { reason, ...ends[0], reads: readIn(model.requests[1]) })
}

/** Opens the session again, continues it, and reports what the model reads of the interrupted call. */
async function reopen(where: keyof typeof storages): Promise<object> {
  const model = scriptedModel([say('I see.')])
  const host = inWorkers([hungryAt('worker')], () => new Worker('/worker.js', { type: 'module' }))
  const agent = createAgent({ model, tools: host, storage: storages[where], sessionId })
  await agent.ready
  const { reason } = await agent.prompt('What happened?')
  const toolCallId = model.requests[0]?.messages.find(
    (one) => one.role === 'toolResult',
  )?.toolCallId
  const { status, mayHaveRun } = agent.getState().toolCalls.get(toolCallId ?? '') ?? {}
  return { reason, status, mayHaveRun, reads: readIn(model.requests[0]) }
}

function readIn(request: ModelRequest | undefined): string | undefined {
  const result = request?.messages.find((message) => message.role === 'toolResult')
  return result && textOf(result.content)
}

Object.assign(globalThis, { eat, reopen })
