/** A file as a message names it. */
export interface AttachedFile {
  readonly name: string
  readonly bytes: number
}

const form = /^\[attached\] (.+), (\d+) bytes$/

/** How a message tells the model of a file. The planner and every other model read this form. */
export function toAttachedLine({ name, bytes }: AttachedFile): string {
  return `[attached] ${name}, ${bytes} bytes`
}

export function readAttachedLine(text: string): AttachedFile | undefined {
  const match = form.exec(text)
  const [, name, bytes] = match ?? []
  return name === undefined ? undefined : { name, bytes: Number(bytes) }
}

/** A file name that fits on one line. */
export function toLineName(name: string): string {
  return name.replace(/[\p{Cc}\u2028\u2029]/gu, '_')
}
