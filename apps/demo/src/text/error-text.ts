import type { RunError } from '@offthread/core'

export function textOfError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** An error's message in the words of the page, without names of options. */
export function sentenceFor({ message }: RunError): string {
  return inPageWords(message)
}

export function inPageWords(message: string): string {
  return message.replaceAll('`model`', 'the model').replaceAll('`baseURL`', 'the address')
}
