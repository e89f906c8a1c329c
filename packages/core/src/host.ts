export type { Clock } from './internal/clock.ts'
export { platformClock } from './internal/clock.ts'
export type {
  CallListener,
  CallNotice,
  CallRequest,
  Execution,
  NewArtifact,
  ReturnedResult,
  Settlement,
  ToolHost,
} from './tools/host.ts'
export { checkHostTools } from './tools/host-tools.ts'
export { lateExecution } from './tools/page/late-execution.ts'
export type { WorkerLike } from './tools/page/worker-boot.ts'
export type { WorkerHostOptions } from './tools/page/worker-host.ts'
