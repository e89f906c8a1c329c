import type { Part } from '@offthread/core'

/** A file that a message mentions. */
export interface AttachedFile {
  readonly name: string
  readonly bytes: number
  /** The SHA-256 of a file that models can see: an image or a PDF. */
  readonly digest?: string
}

const form = /^\[attached\] (.+), (\d+) bytes(?:, sha256 ([0-9a-f]{64}))?$/

/** The line of a message that names a file to the model. The planner parses it. */
export function toAttachedLine({ name, bytes, digest }: AttachedFile): string {
  const line = `[attached] ${name}, ${bytes} bytes`
  return digest === undefined ? line : `${line}, sha256 ${digest}`
}

export function readAttachedLine(text: string): AttachedFile | undefined {
  const match = form.exec(text)
  const [, name, bytes, digest] = match ?? []
  if (name === undefined) return undefined
  return { name, bytes: Number(bytes), ...(digest !== undefined && { digest }) }
}

/** The files that come with a message. */
export function filesIn(parts: readonly Part[]): readonly AttachedFile[] {
  return parts.flatMap((part) => (part.type === 'text' ? (readAttachedLine(part.text) ?? []) : []))
}

/** A file name on one line: control characters and line breaks become `_`. */
export function toLineName(name: string): string {
  return name.replace(/[\p{Cc}\u2028\u2029]/gu, '_')
}
