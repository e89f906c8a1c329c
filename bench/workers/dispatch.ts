import { type OurWorkers, ourWorkers, returnedBy, since } from './our-worker.ts'
import { startRawWorker } from './raw-worker.ts'
import type { Report } from './report.ts'
import { type Contestant, inTurns, median } from './statistics.ts'
import { stamp } from './ways.ts'

const rounds = 60

/** From the call to the first line of the tool. */
export async function benchDispatch({
  head,
  row,
  line,
  atMost,
  atMostBare,
}: Report): Promise<void> {
  const of = await measure()
  head('From the call to the first line of the tool, ms (same message, 30 ms idle before)')
  row("keep: 'fresh' / raw, started for it", { ours: of('fresh'), raw: of('rawCold') })
  row('  / the same, checks its input', { ours: of('fresh'), raw: of('checkingCold') })
  row("keep: 'spare' / raw, started before, unused", { ours: of('spare'), raw: of('rawUnused') })
  row('  / the same, checks its input', { ours: of('spare'), raw: of('rawChecking') })
  row('  / raw, used before', { ours: of('spare'), raw: of('rawUsed') })
  row("keep: 'reuse' / raw, used before", { ours: of('reuse'), raw: of('rawUsed') })
  line(
    'A spare has never run a call: its raw counterpart has not, either. Checking is by the same zod schema.',
  )
  const ratio = (name: 'rawUnused' | 'rawChecking') => median(of('spare')) / median(of(name))
  atMost('dispatch with a spare', {
    limit: 1.5,
    got: ratio('rawChecking'),
    than: 'a raw warm worker that checks its input',
  })
  atMostBare('dispatch with a spare', {
    limit: 1.5,
    got: ratio('rawUnused'),
    than: 'a raw warm worker',
  })
}

async function measure() {
  const fresh = ourWorkers('fresh')
  const spare = ourWorkers('spare')
  const reuse = ourWorkers('reuse')
  const used = startRawWorker()
  const unused = rawSpare('/raw.js')
  const checking = rawSpare('/checking-raw.js')

  const rawUsed: Contestant = async () => {
    await idle()
    const begun = stamp()
    return since(begun, await used.call('stamp'))
  }
  const of = await inTurns(
    {
      fresh: own(fresh),
      spare: own(spare),
      reuse: own(reuse),
      rawCold: rawCold('/raw.js'),
      checkingCold: rawCold('/checking-raw.js'),
      rawUnused: unused.contestant,
      rawChecking: checking.contestant,
      rawUsed,
    },
    { rounds },
  )
  for (const { release } of [spare, reuse]) release()
  for (const { terminate } of [used, unused, checking]) terminate()
  return of
}

function own({ call, lastReady }: OurWorkers): Contestant {
  return async () => {
    await lastReady()
    await idle()
    const begun = stamp()
    return since(begun, returnedBy(await call('stamp')))
  }
}

function rawCold(url: string): Contestant {
  return async () => {
    await idle()
    const begun = stamp()
    const worker = startRawWorker(url)
    const took = since(begun, await worker.call('stamp'))
    worker.terminate()
    return took
  }
}

/** A raw worker for one call, started before it. */
function rawSpare(url: string) {
  let worker = startRawWorker(url)
  const contestant: Contestant = async () => {
    await worker.ready
    await idle()
    const begun = stamp()
    const took = since(begun, await worker.call('stamp'))
    worker.terminate()
    worker = startRawWorker(url)
    return took
  }
  return { contestant, terminate: () => worker.terminate() }
}

/** Long enough that nothing is left to do, as between two calls of a model. */
function idle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30))
}
