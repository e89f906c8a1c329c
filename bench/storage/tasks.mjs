/** The marks that a page sets before and after its work. */
export const marks = { start: 'work starts', end: 'work ends' }

/** What is traced: the tasks of threads, and the marks. */
export const categories = ['disabled-by-default-devtools.timeline', 'blink.user_timing']

/**
 * @typedef {{
 *   name: string, ph: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number,
 * }} TraceEvent Times in microseconds: `dur` of the clock, `tdur` of the processor.
 */

/**
 * The tasks between the marks of a page, in milliseconds of the processor: other load of the machine does not change them.
 * @param {string} text the trace
 */
export function tasksIn(text) {
  const { traceEvents: trace } = readTrace(text)
  const start = markIn(trace, marks.start)
  const end = markIn(trace, marks.end)
  const tasks = trace.filter(
    ({ name, pid, tid, ts, dur = 0 }) =>
      name === 'RunTask' &&
      pid === start.pid &&
      tid === start.tid &&
      ts + dur >= start.ts &&
      ts <= end.ts,
  )
  const times = tasks.map(({ tdur = 0 }) => tdur / 1000)
  return { cpu: times.reduce((sum, ms) => sum + ms, 0), longest: Math.max(...times) }
}

/** @type {(text: string) => { readonly traceEvents: readonly TraceEvent[] }} */
const readTrace = JSON.parse

/** @param {readonly TraceEvent[]} trace @param {string} name */
function markIn(trace, name) {
  const mark = trace.find((event) => event.name === name)
  if (!mark) throw new Error(`The trace has no "${name}".`)
  return mark
}
