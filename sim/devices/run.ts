import type { Timeline } from '../world/timeline.ts'

/** Everything has happened that can happen without time passing. */
async function nextTask(): Promise<void> {
  // Reading a Blob takes some tasks.
  for (let task = 0; task < tasks; task += 1) {
    await new Promise<void>((resolve) => void setImmediate(resolve))
  }
}

const tasks = 6

/** Moves from one timer to the next until `isOver`, at most `maxSteps` times. Resolves with the number of steps. */
export async function run(
  timeline: Timeline,
  isOver: () => boolean,
  maxSteps: number,
): Promise<number> {
  let steps = 0
  await nextTask()
  while (!isOver() && steps < maxSteps && timeline.next()) {
    steps += 1
    await nextTask()
  }
  return steps
}
