import { expect, type Page, test } from '@playwright/test'

/** What a page's main thread did, in milliseconds of the thread's own time, as a quiet machine would have counted it. */
interface Tasks {
  readonly longest: number
  readonly sum: number
  /** The most that was done from one frame to the next, by one task or by many: for so long nothing moved. */
  readonly betweenFrames: number
}

/** What the reference work takes on a quiet machine: 8 ms. Beside other work the same thread takes up to 20 for it. */
const quietReferenceMs = 8

/** All others would be traced as well, and a page that shapes 20,000 items of text would take twice as long. */
const categories = ['-*', 'disabled-by-default-devtools.timeline', 'blink.user_timing']

/** Measures the tasks of the page from now on, and has it draw frame after frame. Returns a function that ends it. */
export async function watchTasks(page: Page): Promise<() => Promise<Tasks>> {
  const browser = page.context().browser()
  // A page that has just been loaded takes three times as long for it.
  await workForReference(page, 'first')
  await browser?.startTracing(page, { categories })
  await workForReference(page, 'before')
  await page.evaluate(() => {
    const next = (): void => void requestAnimationFrame(next)
    next()
  })
  return async () => {
    await workForReference(page, 'after')
    const { traceEvents } = JSON.parse(String(await browser?.stopTracing())) as Trace
    const threads = traceEvents.filter(({ args }) => args.name === 'CrRendererMain').map(threadOf)
    const events = traceEvents.filter((event) => threads.includes(threadOf(event)))
    const references = (name: string): TraceEvent[] => {
      const marks = events.filter((event) => event.name === name)
      return events.filter(isTask).filter((task) => marks.some((mark) => isWithin(task, mark)))
    }
    const [before, after] = [references('before'), references('after')]
    const pace = Math.max(medianOf(before), medianOf(after)) / quietReferenceMs
    const ours = events.filter((event) => !before.includes(event) && !after.includes(event))
    const times = ours.filter(isTask).map(timeOf)
    expect(times.length).toBeGreaterThan(10)
    const frames = threads.map((thread) =>
      betweenFrames(ours.filter((event) => threadOf(event) === thread)),
    )
    return {
      longest: Math.max(...times) / pace,
      sum: times.reduce((sum, time) => sum + time, 0) / pace,
      betweenFrames: Math.max(...frames) / pace,
    }
  }
}

/**
 * Nothing holds the page for long: neither one task nor the many from one frame to the next. What this limit is for took
 * from one to 34 s. Where other tests take the cores the same task takes twice as long, so a limit of 100 ms for a task
 * is held only on a quiet machine, by `npm run test:tasks`.
 */
export function expectResponsive({ betweenFrames, longest }: Tasks): void {
  expect(betweenFrames).toBeLessThan(300)
  const mostMs: unknown = test.info().config.metadata['longestTaskMs']
  if (typeof mostMs !== 'number') return
  console.log(`longest task: ${longest.toFixed(0)} ms`)
  expect(longest).toBeLessThan(mostMs)
}

/** Has the page do what drawing is made of, elements, style and layout, in eight tasks with a mark in each. */
async function workForReference(page: Page, mark: string): Promise<void> {
  for (let count = 0; count < 8; count += 1) {
    await page.evaluate((name) => {
      performance.mark(name)
      const list = document.createElement('ul')
      list.style.cssText = 'position: absolute; visibility: hidden'
      for (let item = 0; item < 1000; item += 1) {
        list.append(Object.assign(document.createElement('li'), { textContent: `Item ${item}` }))
      }
      document.body.append(list)
      list.getBoundingClientRect()
      list.remove()
    }, mark)
  }
}

function isTask({ name }: TraceEvent): boolean {
  return name === 'RunTask'
}

function isWithin(task: TraceEvent, mark: TraceEvent): boolean {
  const isMeanwhile = task.ts <= mark.ts && mark.ts <= task.ts + (task.dur ?? 0)
  return threadOf(mark) === threadOf(task) && isMeanwhile
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid} ${tid}`
}

function medianOf(tasks: readonly TraceEvent[]): number {
  const times = tasks.map(timeOf).toSorted((a, b) => a - b)
  const median = times[Math.floor(times.length / 2)]
  if (median === undefined) throw new Error('The page did no reference work while it was watched.')
  return median
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

/** The thread's own time. On a virtual machine it may be counted as longer than the time that passed. */
function timeOf({ tdur = 0, dur = 0 }: TraceEvent): number {
  return Math.min(tdur, dur) / 1000
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
  /** How long it took, in microseconds. */
  readonly dur?: number
  /** How long it took, in microseconds of the thread's own time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}
