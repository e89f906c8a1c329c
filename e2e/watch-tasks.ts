import { expect, type Page } from '@playwright/test'

/** The tasks of a page's main thread, in milliseconds of the thread's own time: other work of the machine does not count. */
interface Tasks {
  readonly longest: number
  readonly sum: number
}

/** Measures the tasks of the page from now on. Returns a function that ends it. */
export async function watchTasks(page: Page): Promise<() => Promise<Tasks>> {
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
  return async () => {
    const { traceEvents } = JSON.parse(String(await browser?.stopTracing())) as Trace
    const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`
    const threads = traceEvents.filter(({ args }) => args.name === 'CrRendererMain').map(threadOf)
    const tasks = traceEvents.filter(({ name }) => name === 'RunTask')
    const ours = tasks.filter((task) => threads.includes(threadOf(task)))
    expect(ours.length).toBeGreaterThan(10)
    const times = ours.map(({ tdur = 0 }) => tdur / 1000)
    return { longest: Math.max(...times), sum: times.reduce((sum, time) => sum + time, 0) }
  }
}

interface Trace {
  readonly traceEvents: readonly TraceEvent[]
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of the thread's own time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}
