import { ourWorkers, returnedBy, since } from './our-worker.ts'
import { startRawWorker } from './raw-worker.ts'
import type { Report } from './report.ts'
import type { Contestant } from './statistics.ts'
import { inTurns, quantile } from './statistics.ts'
import { stamp } from './ways.ts'

const rounds = 60

/** From the call to the first line of the tool. */
export async function benchDispatch({ head, row, line, atMost }: Report): Promise<void> {
  const fresh = ourWorkers('fresh')
  const spare = ourWorkers('spare')
  const reuse = ourWorkers('reuse')
  const used = startRawWorker()
  const unused = rawSpare('/raw.js')
  const checking = rawSpare('/checking-raw.js')

  const own =
    ({ call, lastReady }: typeof fresh): Contestant =>
    async () => {
      await lastReady()
      await idle()
      const begun = stamp()
      return since(begun, returnedBy(await call('stamp')))
    }
  const rawCold: Contestant = async () => {
    await idle()
    const begun = stamp()
    const worker = startRawWorker()
    const took = since(begun, await worker.call('stamp'))
    worker.terminate()
    return took
  }
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
      rawCold,
      rawUnused: unused.contestant,
      rawChecking: checking.contestant,
      rawUsed,
    },
    { rounds },
  )
  for (const { release } of [spare, reuse]) release()
  for (const { terminate } of [used, unused, checking]) terminate()

  head('From the call to the first line of the tool, ms (same message, 30 ms idle before)')
  row("keep: 'fresh' / raw, started for it", { ours: of('fresh'), raw: of('rawCold') })
  row("keep: 'spare' / raw, started before, unused", { ours: of('spare'), raw: of('rawUnused') })
  row("keep: 'spare' / raw, checks its input", { ours: of('spare'), raw: of('rawChecking') })
  row("keep: 'spare' / raw, used before", { ours: of('spare'), raw: of('rawUsed') })
  row("keep: 'reuse' / raw, used before", { ours: of('reuse'), raw: of('rawUsed') })
  line('A spare is a worker that has never run a call: its raw counterpart is one that has not, either.')
  const ratio = (share: number) =>
    quantile(of('spare'), share) / quantile(of('rawUnused'), share)
  atMost(`dispatch with a spare ≤ 1.5 × a raw warm worker: ${ratio(0.5).toFixed(2)} ×`, {
    limit: 1.5,
    got: ratio(0.5),
  })
}

/** A raw worker that was started before, for one call. */
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

/** Long enough for everything to be as still as between two calls of a model. */
function idle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30))
}
