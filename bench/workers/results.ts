import { benchTool, movingTool } from './bench-tool.ts'
import type { CallOptions } from './our-worker.ts'
import { ourWorkers } from './our-worker.ts'
import type { RawOptions } from './raw-worker.ts'
import { startRawWorker } from './raw-worker.ts'
import type { Report } from './report.ts'
import { times } from './report.ts'
import { inTurns, median } from './statistics.ts'
import { writtenBytes } from './ways.ts'

interface Size {
  readonly name: string
  readonly bytes: number
  readonly rounds: number
}

const sizes: readonly Size[] = [
  { name: '1 KB', bytes: 1000, rounds: 150 },
  { name: '100 KB', bytes: 100_000, rounds: 80 },
  { name: '10 MB', bytes: 10_000_000, rounds: 15 },
]

interface Trip {
  readonly what: string
  readonly size: Size
  readonly how: string
  readonly our?: () => CallOptions
  readonly raw?: () => RawOptions
  /** Its ratio has this limit. */
  readonly limit?: number
  readonly note?: string
}

/** From the call to its result on the page, in a worker that was used before. */
export async function benchResults({ head, row, line, atMost }: Report): Promise<void> {
  const reuse = ourWorkers('reuse')
  const used = startRawWorker()
  const measure = async ({ size, how, our = () => ({}), raw = () => ({}) }: Trip) => {
    const of = await inTurns(
      {
        ours: async () => {
          const options = our()
          return timed(() => reuse.call(how, options))
        },
        raw: async () => {
          const options = raw()
          return timed(() => used.call(how, options))
        },
      },
      { rounds: size.rounds },
    )
    return { ours: of('ours'), raw: of('raw') }
  }

  head('From the call to its result, ms (a worker that was used before)')
  const empty: Trip = { what: 'a number', size: { name: '', bytes: 0, rounds: 150 }, how: 'stamp' }
  const nothing = await measure(empty)
  row(empty.what, nothing)
  for (const trip of sizes.flatMap(tripsOf)) {
    const { what, size, limit, note = '' } = trip
    const took = await measure(trip)
    row(`${size.name} ${what}`, { ...took, note })
    if (limit === undefined) continue
    const ratio = median(took.ours) / median(took.raw)
    const added = median(took.ours) - median(nothing.ours)
    const rawAdded = median(took.raw) - median(nothing.raw)
    atMost(
      `${what}, ${size.name} ≤ ${limit} × raw: ${times(ratio)} (the bytes alone add ${added.toFixed(3)} ms, raw ${rawAdded.toFixed(3)} ms)`,
      { limit, got: ratio },
    )
  }
  line('Ours checks the message and the input, has the result checked and cut, and says two more words.')
  reuse.release()
  used.terminate()
}

function tripsOf(size: Size): readonly Trip[] {
  const { bytes } = size
  const cut = bytes > 1_000_000
  const given = (tool = benchTool) => ({ tool, resources: { bytes: writtenBytes(bytes) } })
  return [
    { what: 'of text, cloned', size, how: `text ${bytes}`, note: cut ? 'ours cut to 1 MB' : '' },
    {
      what: 'of rows, cloned',
      size,
      how: `rows ${bytes}`,
      note: cut ? 'ours left out: more than 1 MB' : 'ours as text for the model, too',
    },
    {
      what: 'of bytes in, cloned',
      size,
      how: 'measure',
      our: () => given(),
      raw: () => ({ bytes: writtenBytes(bytes) }),
    },
    {
      what: 'of bytes in, transferred',
      size,
      how: 'measure',
      our: () => given(movingTool),
      raw: () => ({ bytes: writtenBytes(bytes), moves: true }),
      limit: 1.2,
    },
    {
      what: 'of bytes out, as a Blob',
      size,
      how: `bytes ${bytes}`,
      raw: () => ({ as: 'blob' }),
    },
    {
      what: 'of bytes out / raw transferred',
      size,
      how: `bytes ${bytes}`,
      raw: () => ({ as: 'transfer' }),
      limit: 1.2,
    },
  ]
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  // What came before is over, its refill included.
  await new Promise((resolve) => setTimeout(resolve, 5))
  const begun = performance.now()
  await run()
  return performance.now() - begun
}
