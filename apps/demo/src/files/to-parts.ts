import type { Part } from '@offthread/core'
import { toAttachedLine } from './attached-line.ts'
import type { PendingFile } from './attachments.ts'

/** The parts of a message: the typed text, then one line for each file. */
export function toParts(text: string, files: readonly PendingFile[]): readonly Part[] {
  const typed = text.trim()
  const lines = files.map(({ name, file }) => toAttachedLine({ name, bytes: file.size }))
  return [...(typed ? [typed] : []), ...lines].map((line) => ({ type: 'text', text: line }))
}
