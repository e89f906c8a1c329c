/** A part of a text that is too long for one message. */
export interface TextPart {
  readonly id: string
  readonly index: number
  readonly count: number
  readonly text: string
}

/** So many characters of texts that are not whole are kept, and of so many texts. */
const mostChars = 64 * 1024 * 1024
const mostTexts = 32

/** The text in parts, each of which has at most so many bytes as JSON. */
export function textParts(id: string, text: string, mostBytes: number): readonly TextPart[] {
  // A character of JSON has at most three bytes in JSON. What stands around them has less than 200.
  const size = Math.max(1, Math.floor((mostBytes - 200) / 3))
  const count = Math.ceil(text.length / size)
  return Array.from({ length: count }, (_, index) => ({
    ...{ id, index, count },
    text: text.slice(index * size, (index + 1) * size),
  }))
}

/** Puts texts together of which the parts come in order. One that misses a part is never whole. */
export interface TextAssembly {
  /** The text that the part completes; `null` if it completes none. */
  readonly add: (part: TextPart) => string | null
}

/** A text that is not whole. */
interface Begun {
  readonly parts: string[]
  chars: number
}

export function createTextAssembly(): TextAssembly {
  const texts = new Map<string, Begun>()
  let chars = 0

  function remove(id: string): Begun {
    const begun = texts.get(id) ?? { parts: [], chars: 0 }
    chars -= begun.chars
    texts.delete(id)
    return begun
  }

  return {
    add: ({ id, index, count, text }) => {
      const begun = remove(id)
      // A part without characters would be kept for nothing.
      if (index !== begun.parts.length || text === '') return null
      begun.parts.push(text)
      if (begun.parts.length === count) return begun.parts.join('')
      begun.chars += text.length
      chars += begun.chars
      texts.set(id, begun)
      // The oldest ones first: their ends are lost.
      for (const [oldest] of texts) if (chars > mostChars || texts.size > mostTexts) remove(oldest)
      return null
    },
  }
}
