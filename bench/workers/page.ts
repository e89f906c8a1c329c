import { benchDispatch } from './dispatch.ts'
import { benchFlood } from './flood.ts'
import { benchKill } from './kill.ts'
import { partNames } from './part-names.mjs'
import { benchPreSpawn } from './pre-spawn.ts'
import { createReport, type Report } from './report.ts'
import { benchResults } from './results.ts'
import { benchSlots } from './slots.ts'
import { benchUpdates } from './updates.ts'

type PartName = (typeof partNames)[number]

const parts: Readonly<Record<PartName, (report: Report) => Promise<void>>> = {
  dispatch: benchDispatch,
  'pre-spawn': benchPreSpawn,
  results: benchResults,
  updates: benchUpdates,
  flood: benchFlood,
  kill: benchKill,
  slots: benchSlots,
}

let sending: Promise<unknown> = Promise.resolve()

/** In order, because the last message ends the browser. */
function send(what: unknown): void {
  sending = sending.then(() => fetch('/report', { method: 'POST', body: JSON.stringify(what) }))
}

async function bench(): Promise<boolean> {
  if (document.hidden || !crossOriginIsolated) throw new Error('Nothing can be measured here.')
  const only = new URLSearchParams(location.search).get('only') ?? ''
  const names = partNames.filter((name) => only === '' || only.split(',').includes(name))
  const report = createReport(send)
  report.line(`${navigator.userAgent}, ${navigator.hardwareConcurrency} cores`)
  for (const name of names) await parts[name](report)
  return report.close()
}

bench().then(send, (error: unknown) => send({ error: String(error) }))
