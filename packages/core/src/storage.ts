export { tryJson } from './internal/json.ts'
export { appendOnce } from './runtime/append-once.ts'
export { isDerived } from './storage/derived-bytes.ts'
export { digestOf } from './storage/digest-of.ts'
export type {
  AppendPosition,
  Claim,
  ClaimMode,
  Connection,
  Durability,
  Lasting,
  Position,
  Redaction,
  SessionDescription,
  SessionEntry,
  SessionStorage,
  StorageErrorKind,
} from './storage/port.ts'
export { isKind, StorageError } from './storage/port.ts'
export {
  checkEpoch,
  checkPosition,
  checkReplaced,
  conflictAt,
  deletedSession,
  replacedOwner,
} from './storage/position.ts'
export { isSameEvent } from './storage/same-event.ts'
export type { SessionQueues } from './storage/session-queues.ts'
export { createSessionQueues } from './storage/session-queues.ts'
export { timeOf } from './storage/time-of.ts'
export { toTitle } from './storage/title.ts'
