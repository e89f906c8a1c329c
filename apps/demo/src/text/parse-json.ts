/** The value of a JSON text; `undefined` if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The texts in a list that is JSON; none if it is no such list. */
export function textsIn(json: string | null): readonly string[] {
  const list = parseJson(json ?? '')
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string') : []
}
