import { parentPort, workerData } from 'node:worker_threads'
import { type Share, simulateShare } from './simulate.ts'
import { keepUncaught } from './uncaught.ts'

/** One thread's share of the runs, for `--workers`. */
keepUncaught()
parentPort?.postMessage(await simulateShare(workerData as Share))
