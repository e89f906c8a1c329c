import { expect, test } from 'vitest'
import { createAgent } from '../packages/core/src/index.ts'
import { forgetFailures } from '../packages/core/src/model/http/breaker.ts'
import type { Protocol } from './exchange.ts'
import { type Answer, answer, call, eventsOf, type Part, text, toSse } from './faults/answers.ts'
import { converse } from './page/conversation.ts'
import { modelOver } from './streams/read.fixtures.ts'

/** Kilobytes of arguments in one call, each character in an event of its own. */
const short = 10
const long = 8 * short

test.each<Protocol>(['anthropic', 'openai'])(
  'arguments in deltas of one character cost %s time by their length, not by its square',
  { timeout: 300_000 },
  async (protocol) => {
    // The first run compiles the code.
    await cpuMsOf(protocol, short)
    const [shortMs, longMs] = [await cpuMsOf(protocol, short), await cpuMsOf(protocol, long)]

    console.log(`${protocol}: ${short} kB in ${shortMs} ms, ${long} kB in ${longMs} ms`)
    // Linear cost would give 8, quadratic cost 64; the limit leaves room for noise.
    expect(longMs / shortMs).toBeLessThan(20)
  },
)

test.each([
  ['anthropic', 'calls', call],
  ['anthropic', 'blocks', text],
  ['openai', 'calls', call],
] as const)(
  'many parts in one answer cost time by their number, not by its square: %s, %s',
  { timeout: 300_000 },
  async (protocol, _, part) => {
    const few = 250
    const costOf = (count: number) => cpuMsOfParts(protocol, count, part)
    await costOf(few)
    const fewMs = Math.min(await costOf(few), await costOf(few))
    const manyMs = await costOf(4 * few)

    console.log(`${few} in ${fewMs} ms, ${4 * few} in ${manyMs} ms`)
    // Linear cost would give 4, quadratic cost 16; the limit leaves room for noise.
    expect(manyMs / fewMs).toBeLessThan(10)
  },
)

/** The cost of a run with so many parts in one answer. Of calls, 64 run. */
async function cpuMsOfParts(
  protocol: Protocol,
  count: number,
  part: (id: string, args: string) => Part,
): Promise<number> {
  forgetFailures()
  const parts = Array.from({ length: count }, (_, n) => part(`call_${n}`, `{"city":"${n}"}`))
  const bodies = [answer('calls', ...parts), answer('end', text('Done.'))].map((given) =>
    toBody(given, protocol),
  )
  const model = modelOver(protocol, async () => responseOf(bodies.shift() ?? []))
  const { agent } = converse(model, { maxConcurrency: 64 })
  const start = process.cpuUsage()
  expect(await agent.prompt('Write.')).toMatchObject({ reason: 'stop' })
  const { user, system } = process.cpuUsage(start)
  agent.dispose()
  return Math.round((user + system) / 1000)
}

/**
 * The cost of a run with one call whose arguments have this many kilobytes. CPU time, because other programs do not
 * count in it.
 */
async function cpuMsOf(protocol: Protocol, kilobytes: number): Promise<number> {
  forgetFailures()
  const args = `{"text":"${'m'.repeat(kilobytes * 1024)}"}`
  const body = bodyOf(protocol, args)
  const agent = createAgent({
    model: modelOver(protocol, async () => responseOf(body)),
    toolMode: 'manual',
  })
  const start = process.cpuUsage()
  const { reason, messages } = await agent.prompt('Write.')
  const { user, system } = process.cpuUsage(start)
  agent.dispose()
  expect(reason).toBe('awaiting_tool_results')
  expect(messages.at(-1)).toMatchObject({ content: [{ type: 'toolCall', argsText: args }] })
  return Math.round((user + system) / 1000)
}

/** The stream in pieces of a few kilobytes, as a network delivers it. */
function bodyOf(protocol: Protocol, args: string): readonly Uint8Array<ArrayBuffer>[] {
  return toBody(answer('calls', { ...call('call_1', ''), pieces: [...args] }), protocol)
}

function toBody(given: Answer, protocol: Protocol): readonly Uint8Array<ArrayBuffer>[] {
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
