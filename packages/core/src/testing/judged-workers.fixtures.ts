import type { Tool } from '../tools/definition.ts'
import type { Execution } from '../tools/host.ts'
import { type FakeWorkers, type FakeWorkersOptions, fakeWorkers } from './fake-workers.ts'

export interface JudgedWorkers<T extends Tool = Tool> extends FakeWorkers<T> {
  /** What was done with their executions against the rules of a host. */
  readonly misuses: readonly string[]
}

/** `fakeWorkers` that note what the caller of their host does against its rules. */
export function judgedWorkers<const T extends Tool>(
  tools: readonly T[],
  options: FakeWorkersOptions,
): JudgedWorkers<T> {
  const workers = fakeWorkers(tools, options)
  const misuses: string[] = []
  const open: JudgedWorkers<T>['open'] = (tool, patience) =>
    judged(workers.open(tool, patience), (what) => misuses.push(`${tool.name} ${what}`))
  return { ...workers, misuses, open }
}

function judged(execution: Execution, note: (what: string) => void): Execution {
  let isReady = false
  let wasRun = false
  let isClosed = false
  execution.ready.then(
    () => {
      isReady = true
    },
    () => {},
  )
  return {
    ...execution,
    get ready() {
      return execution.ready
    },
    run: (request, listener) => {
      if (!isReady) note('was run before it was ready')
      if (wasRun) note('was run twice')
      if (isClosed) note('was run after it was closed')
      wasRun = true
      return execution.run(request, listener)
    },
    close: () => {
      isClosed = true
      execution.close()
    },
  }
}
