import { StorageError, type StorageErrorKind } from '../../storage/port.ts'
import { AgentBusyError, type AgentUsageCode, AgentUsageError } from '../usage-errors.ts'

/** The error of a command, as plain data. */
export interface Refusal {
  readonly name: string
  readonly message: string
  readonly code?: string | undefined
  /** The kind of a `StorageError`. */
  readonly kind?: string | undefined
}

export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message } = error
  if (error instanceof StorageError) return { name, message, kind: error.kind }
  return error instanceof AgentUsageError ? { name, message, code: error.code } : { name, message }
}

export function errorOf({ name, message, code, kind }: Refusal): Error {
  if (isUsageCode(code)) return new AgentUsageError(code, message)
  if (isStorageErrorKind(kind)) return new StorageError(kind, message)
  if (name === 'AgentBusyError') return new AgentBusyError(message)
  return name === 'TypeError' ? new TypeError(message) : new Error(message)
}

// Any text counts: both pages run the same library.
function isUsageCode(code: string | undefined): code is AgentUsageCode {
  return code !== undefined
}

function isStorageErrorKind(kind: string | undefined): kind is StorageErrorKind {
  return kind !== undefined
}
