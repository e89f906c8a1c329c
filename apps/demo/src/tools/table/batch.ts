/** Some rows as ranges of bytes: no field becomes a string unless somebody asks for its text. */
export interface Batch {
  /** Column names as far as they are known. A later batch may have more, never fewer. */
  readonly columns: readonly string[]
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly rows: number
  /** The field of row `r` and column `c` has index `r * columns.length + c`. Start equals end: no value. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** 1 for a field that is text whatever it looks like: a string of a JSON file. */
  readonly textual?: Uint8Array
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end))
}

export function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}
