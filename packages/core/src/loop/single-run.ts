import type { Engine } from '../agent/engine.ts'
import { type RunResult, startRun } from '../agent/run.ts'
import type { Draft } from '../kernel/draft.ts'

/** The one run of an engine: writes its start, waits for its end, and leaves no worker, timer or listener. */
export async function singleRun(
  engine: Engine,
  start: readonly Draft[],
  signal: AbortSignal | undefined,
): Promise<RunResult> {
  const disposal = new AbortController().signal
  engine.open()
  try {
    return await startRun({ parts: engine, disposal, signal }, start)
  } finally {
    engine.dispose()
  }
}
