/** What a chat shows of a streaming answer: the least that any library has to keep. */
export interface FloorState {
  readonly messages: readonly string[]
  /** The answer so far. */
  readonly answer: string
}

/** A store that appends a string and publishes once a frame: close to the least that a delta can cost. */
export interface FloorStore {
  readonly append: (delta: string) => void
  readonly getState: () => FloorState
  readonly subscribe: (listener: () => void) => () => void
}

export function createFloorStore(messages: readonly string[]): FloorStore {
  const listeners = new Set<() => void>()
  let published: FloorState = { messages, answer: '' }
  let answer = ''
  let isPlanned = false

  function publish(): void {
    isPlanned = false
    published = { messages, answer }
    for (const listener of listeners) listener()
  }

  return {
    append: (delta) => {
      answer += delta
      if (isPlanned) return
      isPlanned = true
      requestAnimationFrame(publish)
    },
    getState: () => published,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
