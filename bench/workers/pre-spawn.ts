import type { Model, ModelChunk } from '../../packages/core/src/index.ts'
import { watchedAgent } from './our-agent.ts'
import { since } from './our-worker.ts'
import { startRawWorker } from './raw-worker.ts'
import type { Report } from './report.ts'
import { inTurns } from './statistics.ts'
import { stamp } from './ways.ts'

const rounds = 40
/** A model takes longer for most inputs. */
const inputMs = 150

/** From the end of a call's input, as a model streams it, to the first line of the tool. */
export async function benchPreSpawn({ head, row }: Report): Promise<void> {
  const of = await inTurns(
    {
      agent: inAgent,
      rawCold: async () => {
        await pass(inputMs)
        const begun = stamp()
        const worker = startRawWorker()
        const took = since(begun, await worker.call('stamp'))
        worker.terminate()
        return took
      },
      rawUnused: async () => {
        const worker = startRawWorker()
        await pass(inputMs)
        const begun = stamp()
        const took = since(begun, await worker.call('stamp'))
        worker.terminate()
        return took
      },
    },
    { rounds },
  )
  head(
    `An agent, from the end of a call's input to the first line of the tool, ms (it streamed for ${inputMs} ms)`,
  )
  row('an agent / raw, started for it', { ours: of('agent'), raw: of('rawCold') })
  row('an agent / raw, started at the name of the tool', {
    ours: of('agent'),
    raw: of('rawUnused'),
  })
}

async function inAgent(): Promise<number> {
  let begun = 0
  let answers = 0
  let stamped: unknown
  const model: Model = {
    identity: { provider: 'bench', id: 'bench' },
    stream: () => (answers++ === 0 ? slowCall(() => (begun = stamp())) : lastWords()),
  }
  const { agent } = watchedAgent({ model })
  agent.subscribe((event) => {
    if (event.type === 'tool_execution_end') stamped = event.result.structuredContent
  })
  await agent.prompt('Go.')
  agent.dispose()
  return since(begun, stamped)
}

const usage = { inputTokens: 10, outputTokens: 5 }

async function* slowCall(atEnd: () => void): AsyncGenerator<ModelChunk> {
  const contentIndex = 0
  yield { type: 'toolcall_start', contentIndex, toolName: 'fault' }
  await pass(inputMs)
  atEnd()
  yield { type: 'toolcall_delta', contentIndex, delta: '{"how":"stamp"}' }
  yield { type: 'toolcall_end', contentIndex }
  yield { type: 'finish', stopReason: 'tool_use', usage }
}

async function* lastWords(): AsyncGenerator<ModelChunk> {
  yield { type: 'text_start', contentIndex: 0 }
  yield { type: 'text_delta', contentIndex: 0, delta: 'Done.' }
  yield { type: 'text_end', contentIndex: 0 }
  yield { type: 'finish', stopReason: 'stop', usage }
}

function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
