/** What the same code needs from its tool or raw worker. */
export interface Surroundings {
  /** When its first line ran. */
  readonly at: number
  readonly bytes: ArrayBuffer | undefined
  readonly report: (text: string) => void
}

/** Milliseconds since the epoch, by a clock that a page shares with its workers. */
export function stamp(): number {
  return performance.timeOrigin + performance.now()
}

/** Does what a call asks for, given as one word and numbers. */
export function perform(how: string, { at, bytes, report }: Surroundings): unknown {
  const [word, first = 0, second = 0] = wordsOf(how)
  switch (word) {
    case 'stamp':
      return at
    case 'measure':
      return bytes?.byteLength
    case 'text':
      return prepared(how, () => 'x'.repeat(first))
    case 'rows':
      return prepared(how, () => rowsOf(first))
    case 'bytes':
      return takeBytes(first)
    case 'report':
      return reportFor({ perSecond: first, ms: second, report })
    case 'loop':
      report('looping')
      for (;;);
    case 'wait':
      report('waiting')
      return new Promise<never>(() => {})
    default:
      throw new Error(`No such way: ${how}`)
  }
}

function wordsOf(how: string): readonly [string, ...number[]] {
  const [word = '', ...numbers] = how.split(' ')
  return [word, ...numbers.map(Number)]
}

const made = new Map<string, unknown>()

/** Made once, because only its transfer is measured. */
function prepared(how: string, make: () => unknown): unknown {
  const value = made.get(how) ?? make()
  made.set(how, value)
  return value
}

/** Rows of a table that are about this many bytes of JSON. */
function rowsOf(bytes: number): readonly object[] {
  return Array.from({ length: Math.ceil(bytes / 100) }, (_, id) => ({
    id,
    name: `Row number ${id}`,
    email: `person.${id}@example.com`,
    score: id / 7,
    tags: ['a', 'b'],
  }))
}

/** Bytes made and written to before they are measured. They can be taken once, because moving empties them. */
function takeBytes(length: number): ArrayBuffer {
  const ready = made.get(`bytes ${length}`)
  setTimeout(() => made.set(`bytes ${length}`, writtenBytes(length)))
  return ready instanceof ArrayBuffer && ready.byteLength > 0 ? ready : writtenBytes(length)
}

export function writtenBytes(length: number): ArrayBuffer {
  return new Uint8Array(length).fill(1).buffer
}

interface Reporting {
  readonly perSecond: number
  readonly ms: number
  readonly report: (text: string) => void
}

/** Sends updates at an even pace. Returns how many. */
async function reportFor({ perSecond, ms, report }: Reporting): Promise<number> {
  const begun = performance.now()
  let sent = 0
  for (;;) {
    const passed = Math.min(performance.now() - begun, ms)
    for (; sent < (passed / 1000) * perSecond; sent++) report(`update ${sent}`)
    if (passed >= ms) return sent
    await new Promise((resolve) => setTimeout(resolve, 4))
  }
}
