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
