import type { Settlement, WorkerHostOptions } from '../../packages/core/src/host.ts'
import { inWorkers, type Resources, type Tool } from '../../packages/core/src/index.ts'
import {
  callTo,
  createRecorder,
  type Recorder,
} from '../../packages/core/src/tools/fixtures/calls.fixtures.ts'
import { benchTool } from './bench-tool.ts'
import { type WatchedWorkers, watchWorkers } from './watched-workers.ts'

/** A place for tools, without an agent. */
export interface OurWorkers extends WatchedWorkers {
  /** Opens a call, runs it, and resolves with its settlement. */
  readonly call: (how: string, options?: CallOptions) => Promise<Settlement>
  /** A call that runs until it is stopped, and ignores its signal. */
  readonly loop: () => Promise<{ readonly kill: () => Promise<Settlement> }>
  readonly release: () => void
}

export interface CallOptions {
  readonly resources?: Resources
  readonly tool?: Tool
}

export function ourWorkers(keep: NonNullable<WorkerHostOptions['keep']>): OurWorkers {
  const watched = watchWorkers('/tools.js')
  const host = inWorkers([benchTool], watched.spawn, { keep })
  const open = (tool: Tool = benchTool) => host.open(tool, { graceMs: 5 })
  return {
    ...watched,
    call: (how, { resources, tool } = {}) => open(tool).run(requestFor(how, resources), silent),
    loop: async () => {
      const execution = open()
      const recorder: Recorder = createRecorder()
      const ended = execution.run(requestFor('loop'), recorder)
      await recorder.received('update')
      return {
        kill: () => {
          execution.stop()
          return ended
        },
      }
    },
    release: () => host.release?.(),
  }
}

function requestFor(how: string, resources: Resources = {}) {
  return callTo(benchTool.name, { how }, resources)
}

const silent = () => {}

/** The result of a call; throws for any other end. */
export function returnedBy(settlement: Settlement): unknown {
  if (settlement.kind === 'returned') return settlement.result.structuredContent
  throw new Error(`The call did not return: ${JSON.stringify(settlement)}`)
}

/** The milliseconds from `begun` to a stamp that a call returned. */
export function since(begun: number, returned: unknown): number {
  if (typeof returned === 'number' && returned >= begun) return returned - begun
  throw new Error(`No stamp after ${begun}: ${String(returned)}`)
}
