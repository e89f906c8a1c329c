/** The text of a body, piece by piece. */
export interface BodyText {
  /** The next piece, or `undefined` after the last one. */
  readonly next: () => Promise<string | undefined>
  /** Closes the connection. Not awaited: a body that hangs would hang its reader, too. */
  readonly close: () => void
}

/** Opens a body by its reader: not every browser can iterate one. */
export function openText({ body }: Response): BodyText {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  return {
    next: async () => {
      const piece = await reader?.read()
      return piece?.value && decoder.decode(piece.value, { stream: true })
    },
    close: () => void reader?.cancel().catch(() => undefined),
  }
}
