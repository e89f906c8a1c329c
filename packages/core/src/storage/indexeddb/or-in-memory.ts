import { memoryStorage } from '../memory.ts'
import { type Connection, isKind, type SessionStorage } from '../port.ts'

/**
 * The storage, or one in memory if it turns out to be unavailable when it is first used. The choice holds for as long
 * as the page lives. Any other failure of `open` is reported as one of the storage.
 */
export function orInMemory(storage: SessionStorage, open: () => Promise<unknown>): SessionStorage {
  let chosen: SessionStorage | null = null
  let choosing: Promise<SessionStorage> | null = null

  // One promise for all calls, so that they continue in their order.
  function choose(): Promise<SessionStorage> {
    choosing ??= open().then(
      () => {
        chosen = storage
        return chosen
      },
      (error: unknown) => {
        choosing = null
        if (isKind(error, 'unavailable')) chosen = memoryStorage()
        return chosen ?? storage
      },
    )
    return choosing
  }

  // Without a wait if the choice is made already, because a page that goes away cannot wait.
  const use = <Result>(work: (used: SessionStorage) => Promise<Result>): Promise<Result> =>
    chosen ? work(chosen) : choose().then(work)

  return {
    read: (...asked) => use(({ read }) => read(...asked)),
    append: (...asked) => use(({ append }) => append(...asked)),
    claim: (...asked) => use(({ claim }) => claim(...asked)),
    list: (...asked) => use(({ list }) => list(...asked)),
    describe: (...asked) => use(({ describe }) => describe(...asked)),
    writeBytes: (...asked) => use(({ writeBytes }) => writeBytes(...asked)),
    readBytes: (...asked) => use(({ readBytes }) => readBytes(...asked)),
    delete: (...asked) => use((used) => used.delete(...asked)),
    redact: (...asked) => use(async (used) => used.redact?.(...asked)),
    lasts: (mode) => use(async ({ lasts }) => (await lasts?.(mode)) ?? 'best-effort'),
    follow: (...asked) => {
      if (chosen) return chosen.follow(...asked)
      return onceChosen(choose(), ({ follow }) => follow(...asked))
    },
    connect: (...asked) => {
      if (chosen) return chosen.connect(...asked)
      const choice = choose()
      const ending = new AbortController()
      let connection: Connection | null = null
      const close = onceChosen(choice, ({ connect }) => {
        const made = connect(...asked)
        connection = made
        made.ended.addEventListener('abort', () => ending.abort(made.ended.reason))
        return made.close
      })
      return {
        post: (message) => {
          if (connection) connection.post(message)
          else void choice.then(() => connection?.post(message))
        },
        ended: ending.signal,
        close,
      }
    },
  }
}

/**
 * Starts something with the storage that is chosen, unless it was stopped before. Returns the function that stops it.
 */
function onceChosen(
  choice: Promise<SessionStorage>,
  start: (chosen: SessionStorage) => () => void,
): () => void {
  let stop: (() => void) | null = null
  let isStopped = false
  void choice.then((chosen) => {
    if (!isStopped) stop = start(chosen)
  })
  return () => {
    isStopped = true
    stop?.()
  }
}
