import { benchTool, movingTool } from './bench-tool.ts'
import { type CallOptions, ourWorkers } from './our-worker.ts'
import { type RawOptions, startRawWorker } from './raw-worker.ts'
import type { Report } from './report.ts'
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

const clonedIn = 'of bytes in, cloned'
const movedIn = 'of bytes in, transferred'
const movedOut = 'of bytes out / raw transferred'

interface Trip {
  readonly what: string
  readonly size: Size
  readonly how: string
  readonly our?: () => CallOptions
  readonly raw?: () => RawOptions
  /** The row that it is compared with, if it has a goal. */
  readonly against?: string
  readonly note?: string
}

/** From the call to its result on the page, in a worker that was used before. */
export async function benchResults({ head, row, line, atMost, atMostBare }: Report): Promise<void> {
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
  // The largest object of the last size.
  const moved = new Map<string, number>()
  let cloned = Number.NaN
  for (const trip of sizes.flatMap(tripsOf)) {
    const { what, size, against, note = '' } = trip
    const took = await measure(trip)
    row(`${size.name} ${what}`, { ...took, note })
    if (what === clonedIn) cloned = median(took.raw)
    if (against === undefined) continue
    atMostBare(`${size.name} ${what}`, {
      limit: 1.2,
      got: median(took.ours) / median(took.raw),
      than: against,
    })
    if (what === movedIn || what === movedOut) moved.set(what, median(took.ours))
  }
  for (const [what, time] of moved) {
    atMost(`10 MB ${what}: nothing is copied`, {
      limit: 0.5,
      got: time / cloned,
      than: 'a raw clone of them',
    })
  }
  line(
    'Ours checks the message and the input, has the result checked and cut, and says two more words.',
  )
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
      what: clonedIn,
      size,
      how: 'measure',
      our: () => given(),
      raw: () => ({ bytes: writtenBytes(bytes) }),
    },
    {
      what: movedIn,
      size,
      how: 'measure',
      our: () => given(movingTool),
      raw: () => ({ bytes: writtenBytes(bytes), moves: true }),
      against: 'raw transferred',
    },
    {
      what: 'of bytes out, as a Blob',
      size,
      how: `bytes ${bytes}`,
      raw: () => ({ as: 'blob' }),
      against: 'a raw Blob',
    },
    {
      what: movedOut,
      size,
      how: `bytes ${bytes}`,
      raw: () => ({ as: 'transfer' }),
      against: 'raw transferred',
    },
  ]
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  // Waits until the work of the call before is over, its refill included.
  await new Promise((resolve) => setTimeout(resolve, 5))
  const begun = performance.now()
  await run()
  return performance.now() - begun
}
