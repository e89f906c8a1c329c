/** `npm run sim -- …`, see `usage`. npm takes the words before `--` as its own options. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { coverageTable, emptyCells } from './coverage.ts'
import { modes } from './modes/modes.ts'
import type { Plan } from './plan.ts'
import { play } from './play.ts'
import { readable } from './readable.ts'
import {
  type Failure,
  joinSimulated,
  type Share,
  type Simulated,
  simulateShare,
} from './simulate.ts'
import { keepUncaught } from './uncaught.ts'

const usage = `npm run sim -- [options]     (without the first -- npm takes the options for itself)

  --runs N       plans to play, default 1000
  --seed S       which plans; default: others each time, and it is printed which
  --workers N    threads
  --table        faults by the state they met
  --mode M       ${Object.keys(modes).join(', ')}
  --replay FILE  plays one plan again and prints its log`

keepUncaught()

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    workers: { type: 'string', default: '1' },
    replay: { type: 'string' },
    mode: { type: 'string' },
    table: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(usage)
else if (values.replay !== undefined) process.exitCode = await replay(values.replay)
else if (values.mode !== undefined && !modes[values.mode])
  refuse(`There is no mode ${values.mode}.`)
else if (!Number.isInteger(Number(values.runs)))
  refuse(`--runs takes a number, not ${values.runs}.`)
else process.exitCode = await run()

function refuse(why: string): void {
  console.error(`${why}\n${usage}`)
  process.exitCode = 1
}

async function run(): Promise<number> {
  const runs = Number(values.runs)
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
  const workers = Number(values.workers)
  console.log(`seed ${seed}, ${runs} runs, ${workers === 1 ? '1 worker' : `${workers} workers`}`)
  const started = process.cpuUsage()
  const result = joinSimulated(await Promise.all(sharesOf(runs, seed, workers).map(runShare)))
  // In a thread `process.cpuUsage` counts all threads, so the sum of their reports would be too large.
  const used = process.cpuUsage(started)
  const cpuMs = workers === 1 ? result.cpuMs : (used.user + used.system) / 1000
  const perSecond = Math.round((result.runs / cpuMs) * 1000)
  console.log(
    `${result.runs} runs in ${(cpuMs / 1000).toFixed(1)} s of a core: ${perSecond} per second, ` +
      `${result.events} events, ${(result.events / result.runs).toFixed(0)} a run`,
  )
  const empty = emptyCells(result.injections)
  if (values.table) console.log(`\n${coverageTable(result.injections)}\n`)
  if (values.table && empty.length > 0) console.log(`never met: ${empty.join(', ')}`)
  else if (empty.length > 0) console.log(`${empty.length} reachable cells not met, see --table`)
  if (result.failure) report(result.failure)
  return result.failure ? 1 : 0
}

function sharesOf(runs: number, seed: number, workers: number): readonly Share[] {
  return Array.from({ length: workers }, (_, index) => ({
    runs: Math.ceil(runs / workers),
    seed: seed + index,
    ...(values.mode !== undefined && { mode: values.mode }),
  }))
}

function runShare(share: Share, _index: number, { length }: readonly Share[]): Promise<Simulated> {
  if (length === 1) return simulateShare(share)
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./share.mjs', import.meta.url), { workerData: share })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

function report(failure: Failure): void {
  const file = savePlan(failure.plan)
  console.log(
    `\nFAILED after ${failure.after} runs (seed ${failure.seed}, path ${failure.path}), ` +
      `the smallest of ${failure.shrinks} smaller plans:\n\n${readable(failure.plan)}\n`,
  )
  for (const { rule, why } of failure.broken) console.log(`  ${rule}: ${why}`)
  console.log(
    `\nAgain: npm run sim -- --replay ${file}${values.mode ? ` --mode ${values.mode}` : ''}`,
  )
}

function savePlan(plan: Plan): string {
  const folder = fileURLToPath(new URL('../../../.reports/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const file = `${folder}sim-${Date.now()}.json`
  writeFileSync(file, `${JSON.stringify(plan, null, 2)}\n`)
  return file
}

async function replay(file: string): Promise<number> {
  const plan = JSON.parse(readFileSync(file, 'utf8')) as Plan
  const mode = values.mode === undefined ? play : modes[values.mode]
  const { log, broken } = await (mode ?? play)(plan)
  console.log(`${readable(plan)}\n`)
  for (const event of log) {
    const { v: _v, sessionId: _session, seq, sub, ts, runId: _run, turn, type, ...rest } = event
    const number = sub === undefined ? `${seq}` : `${seq}.${sub}`
    const ms = ts - 1_700_000_000_000
    console.log(
      `${number.padEnd(7)}${String(ms).padStart(7)} ms  ${turn} ${type} ${JSON.stringify(rest).slice(0, 200)}`,
    )
  }
  for (const { rule, why } of broken) console.log(`BROKEN ${rule}: ${why}`)
  if (broken.length === 0) console.log('No rule is broken.')
  return broken.length > 0 ? 1 : 0
}
