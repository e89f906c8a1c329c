import { parentPort, workerData } from 'node:worker_threads'
import type { Share } from './simulate.ts'
import { simulateShare } from './simulate.ts'

/** One thread's share of the runs, for `--workers`. */
parentPort?.postMessage(await simulateShare(workerData as Share))
