import type { RunError } from '@offthread/core'
import { cleanText } from './clean-text.ts'

/** What was thrown, in words. */
export function textOfError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What to do about an error, in the words of the page: an option's name means nothing here. */
export function sentenceFor({ message }: RunError): string {
  return cleanText(
    message.replaceAll('`model`', 'the model').replaceAll('`baseURL`', 'the address'),
  )
}
