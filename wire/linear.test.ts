import { expect, test } from 'vitest'
import { createAgent } from '../packages/core/src/index.ts'
import { forgetFailures } from '../packages/core/src/model/wire/breaker.ts'
import type { Protocol } from './exchange.ts'
import { answer, call, eventsOf, toSse } from './faults/answers.ts'
import { modelOver } from './streams/read.fixtures.ts'

/** Thousands of characters in the arguments of one call, each in an event of its own. */
const sizes = [50, 100, 200]

const attempts = 5

test.each<Protocol>(['anthropic', 'openai'])(
  'arguments in deltas of one character cost %s time by their length, not by its square',
  { timeout: 300_000 },
  async (protocol) => {
    await timeOf(protocol, 10)
    let best = sizes.map(() => Number.POSITIVE_INFINITY)
    // The best of several: a slow moment of the machine says nothing.
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const times: number[] = []
      for (const size of sizes) times.push(await timeOf(protocol, size))
      best = best.map((time, at) => Math.min(time, times[at] ?? time))
      if (isLinear(best)) break
    }

    const [small = 0, middle = 0, large = 0] = best
    const times = sizes.map((size, at) => `${size} kB in ${best[at]?.toFixed(0)} ms`).join(', ')
    const growth = [middle / small, large / middle].map((ratio) => ratio.toFixed(2)).join(', ')
    console.log(`${protocol}: ${times}; growth ${growth}`)
    expect(best).toSatisfy(isLinear)
  },
)

/** Four times the length: four times the time if it is linear, sixteen times if it is not. */
function isLinear([small = 0, , large = 0]: readonly number[]): boolean {
  return large / small < 9
}

/** Milliseconds from the prompt to the end of a run in which one call has this many kilobytes of arguments. */
async function timeOf(protocol: Protocol, kilobytes: number): Promise<number> {
  forgetFailures()
  const args = `{"text":"${'m'.repeat(kilobytes * 1024)}"}`
  const body = bodyOf(protocol, args)
  const agent = createAgent({
    model: modelOver(protocol, async () => responseOf(body)),
    toolMode: 'manual',
  })
  const start = performance.now()
  const { reason, messages } = await agent.prompt('Write.')
  const took = performance.now() - start
  agent.dispose()
  expect(reason).toBe('awaiting_tool_results')
  expect(messages.at(-1)).toMatchObject({ content: [{ type: 'toolCall', argsText: args }] })
  return took
}

/** The stream in pieces of a few kilobytes, as a network delivers it. */
function bodyOf(protocol: Protocol, args: string): readonly Uint8Array<ArrayBuffer>[] {
  const given = answer('calls', { ...call('call_1', ''), pieces: [...args] })
  const bytes = new TextEncoder().encode(eventsOf(given, protocol).map(toSse).join(''))
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0; at < bytes.length; at += 16_384) pieces.push(bytes.slice(at, at + 16_384))
  return pieces
}

function responseOf(pieces: readonly Uint8Array<ArrayBuffer>[]): Response {
  const rest = pieces.values()
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const { done, value } = rest.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
