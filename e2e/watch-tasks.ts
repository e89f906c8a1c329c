import { expect, type Page } from '@playwright/test'

/** What a page's main thread did, in milliseconds of the thread's own time: other work of the machine does not count. */
interface Tasks {
  readonly longest: number
  readonly sum: number
  /** The most that was done from one frame to the next, by one task or by many: for so long nothing moved. */
  readonly betweenFrames: number
}

/** Measures the tasks of the page from now on, and has it draw frame after frame. Returns a function that ends it. */
export async function watchTasks(page: Page): Promise<() => Promise<Tasks>> {
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
  await page.evaluate(() => {
    const next = (): void => void requestAnimationFrame(next)
    next()
  })
  return async () => {
    const { traceEvents } = JSON.parse(String(await browser?.stopTracing())) as Trace
    const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`
    const threads = traceEvents.filter(({ args }) => args.name === 'CrRendererMain').map(threadOf)
    const ours = traceEvents.filter((event) => threads.includes(threadOf(event)))
    const tasks = ours.filter(({ name }) => name === 'RunTask')
    expect(tasks.length).toBeGreaterThan(10)
    const times = tasks.map(timeOf)
    return {
      longest: Math.max(...times),
      sum: times.reduce((sum, time) => sum + time, 0),
      betweenFrames: Math.max(
        ...threads.map((thread) =>
          betweenFrames(ours.filter((event) => threadOf(event) === thread)),
        ),
      ),
    }
  }
}

/** The most that the tasks of a thread took from one frame to the next, before the first, or after the last. */
function betweenFrames(events: TraceEvent[]): number {
  // In a trace they are in no order.
  events.sort((a, b) => a.ts - b.ts)
  let [most, sum] = [0, 0]
  for (const event of events) {
    if (event.name === 'RunTask') sum += timeOf(event)
    if (event.name === 'Commit') sum = 0
    most = Math.max(most, sum)
  }
  return most
}

function timeOf({ tdur = 0 }: TraceEvent): number {
  return tdur / 1000
}

interface Trace {
  readonly traceEvents: readonly TraceEvent[]
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** When it started. */
  readonly ts: number
  /** How long it took, in microseconds of the thread's own time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}
