/** A part of a text that is too long for one message. */
export interface TextPart {
  readonly id: string
  readonly index: number
  readonly count: number
  readonly text: string
}

/** The most characters of incomplete texts that are kept. Below: the most such texts. */
const mostChars = 64 * 1024 * 1024
const mostTexts = 32

/** The text in parts, each of which has at most `mostBytes` bytes as JSON. */
export function textParts(id: string, text: string, mostBytes: number): readonly TextPart[] {
  // As JSON, a character has at most three bytes, because the text is JSON already. The fields around it have less than
  // 200.
  const size = Math.max(1, Math.floor((mostBytes - 200) / 3))
  const count = Math.ceil(text.length / size)
  return Array.from({ length: count }, (_, index) => ({
    ...{ id, index, count },
    text: text.slice(index * size, (index + 1) * size),
  }))
}

/** Joins the parts of texts, which come in order. A text that misses a part never becomes whole. */
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
      // A part without characters would only take space.
      if (index !== begun.parts.length || text === '') return null
      begun.parts.push(text)
      if (begun.parts.length === count) return begun.parts.join('')
      begun.chars += text.length
      chars += begun.chars
      texts.set(id, begun)
      // The oldest texts go first: their last parts are probably lost.
      for (const [oldest] of texts) if (chars > mostChars || texts.size > mostTexts) remove(oldest)
      return null
    },
  }
}
