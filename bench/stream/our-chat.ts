import { chat } from '../../packages/core/src/agent/session/long-log.fixtures.ts'
import {
  type Agent,
  createAgent,
  type Model,
  type ModelChunk,
  memoryStorage,
} from '../../packages/core/src/index.ts'

/** An agent with so many messages, and the connection by which its next answer comes. */
export interface OurChat {
  readonly agent: Agent
  readonly append: (delta: string) => void
  readonly finish: () => void
}

export async function createOurChat(messages: number): Promise<OurChat> {
  const storage = memoryStorage()
  await storage.append('bench', { head: 0, epoch: 0 }, chat(messages / 2))
  const { model, ...connection } = createConnection()
  const agent = createAgent({ model, storage, sessionId: 'bench' })
  await agent.ready
  return { agent, ...connection }
}

/** A model whose answer is what the connection delivers. */
function createConnection() {
  const waiting: ModelChunk[] = [{ type: 'text_start', contentIndex: 0 }]
  let wake = (): void => {}
  const give = (...chunks: readonly ModelChunk[]) => {
    waiting.push(...chunks)
    wake()
  }
  const model: Model = {
    identity: { provider: 'bench', id: 'bench' },
    async *stream() {
      for (;;) {
        const chunk = waiting.shift()
        if (chunk) yield chunk
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
  return {
    model,
    append: (delta: string) => give({ type: 'text_delta', contentIndex: 0, delta }),
    finish: () =>
      give(
        { type: 'text_end', contentIndex: 0 },
        { type: 'finish', stopReason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } },
      ),
  }
}
