/** `npm run sim:mutants -- [--runs 20000] [--seed S] [--only text]`: does the simulation find deliberate faults? */

import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { bundle } from '../bundle.mjs'
import { mutants } from './list.mjs'
import { patchPlugin } from './patch-plugin.mjs'

/**
 * @typedef {{ found: boolean, after: number, rule?: { rule: string, why: string } }} Hunted
 */

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: '2' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const healthy = await bundle('play.ts')
const wanted = mutants.filter(({ name }) => name.includes(values.only))
console.log(`seed ${seed}, at most ${values.runs} runs for each of ${wanted.length} faults`)

/** The memory limit of a thread: many times what the runs without a fault take. */
const maxOldGenerationSizeMb = 512
/** A fault that makes a run write without end is found when its memory is full. @type {Hunted} */
const endless = { found: true, after: 0, rule: { rule: 'memory', why: 'a run writes without end' } }

let missed = 0
const queue = [...wanted]
await Promise.all(Array.from({ length: Number(values.workers) }, work))
console.log(missed === 0 ? 'All found.' : `${missed} not found.`)
process.exitCode = missed > 0 ? 1 : 0

async function work() {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const { found, after, rule } = await hunt(mutant)
    if (!found) missed += 1
    const how = found
      ? `found ${after ? `after ${after} runs ` : ''}by ${rule?.rule}: ${rule?.why}`
      : 'NOT FOUND'
    console.log(`${mutant.name}: ${how}`)
  }
}

/**
 * @param {import('./mutant.ts').Mutant} mutant
 * @returns {Promise<Hunted>}
 */
async function hunt({ name, edits, mode }) {
  const file = await bundle('mutants/hunt.ts', {
    name: `mutant-${name.replaceAll(' ', '-')}`,
    plugins: [patchPlugin(edits)],
  })
  const workerData = { runs: Number(values.runs), seed, healthy, mode }
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData, resourceLimits: { maxOldGenerationSizeMb } })
    worker.once('message', resolve)
    worker.once('error', (error) => {
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(endless)
      else reject(error)
    })
  })
}
