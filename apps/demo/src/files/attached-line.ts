/** A file that a message mentions. */
export interface AttachedFile {
  readonly name: string
  readonly bytes: number
}

const form = /^\[attached\] (.+), (\d+) bytes$/

/** The line of a message that names a file to the model. The planner parses it. */
export function toAttachedLine({ name, bytes }: AttachedFile): string {
  return `[attached] ${name}, ${bytes} bytes`
}

export function readAttachedLine(text: string): AttachedFile | undefined {
  const match = form.exec(text)
  const [, name, bytes] = match ?? []
  return name === undefined ? undefined : { name, bytes: Number(bytes) }
}

/** A file name on one line: control characters and line breaks become `_`. */
export function toLineName(name: string): string {
  return name.replace(/[\p{Cc}\u2028\u2029]/gu, '_')
}
