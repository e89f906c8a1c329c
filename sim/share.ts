import { parentPort, workerData } from 'node:worker_threads'
import type { SimulateOptions } from './simulate.ts'
import { simulate } from './simulate.ts'

/** One thread's share of the runs, for `--workers`. */
parentPort?.postMessage(await simulate(workerData as SimulateOptions))
