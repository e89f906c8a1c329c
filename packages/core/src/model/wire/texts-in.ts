/** Characters of an error answer: its sentence stands in front. */
const longestRefusal = 64 * 1024

/** The beginning of the text of an error answer; what came of it, if it breaks off. */
export async function refusalText(response: Response): Promise<string> {
  let text = ''
  try {
    for await (const piece of textsIn(response)) {
      text += piece
      if (text.length > longestRefusal) break
    }
  } catch {
    return text
  }
  return text
}

/** The text of a body, as it comes. Leaving early closes the connection. */
export async function* textsIn({ body }: Response): AsyncGenerator<string, void, undefined> {
  if (!body) return
  // Not every browser can iterate a body.
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
