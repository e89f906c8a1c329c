import { AgentBusyError, type AgentUsageCode, AgentUsageError } from '../usage-errors.ts'

/** The error of a command, as plain data. */
export interface Refusal {
  readonly name: string
  readonly message: string
  readonly code?: string | undefined
}

export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message } = error
  return error instanceof AgentUsageError ? { name, message, code: error.code } : { name, message }
}

export function errorOf({ name, message, code }: Refusal): Error {
  if (isUsageCode(code)) return new AgentUsageError(code, message)
  if (name === 'AgentBusyError') return new AgentBusyError(message)
  return name === 'TypeError' ? new TypeError(message) : new Error(message)
}

// Whatever the owner calls it: both pages run the same library.
function isUsageCode(code: string | undefined): code is AgentUsageCode {
  return code !== undefined
}
