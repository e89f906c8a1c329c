import { readStoredEvent } from '../../runtime/read-stored-event.ts'
import { type SessionStorage, StorageError } from '../../storage/port.ts'

/** The reasons to stop following a session. Each is called at most once. */
interface Ends {
  readonly onDamage: (damage: StorageError) => void
  /** Called when something was removed from earlier events, so that all have to be read again. */
  readonly onRedaction: () => void
}

/**
 * The storage, but the events that are followed are checked and lifted to this version. Following ends at an event that
 * is damaged or changes earlier ones.
 */
export function followChecked(
  storage: SessionStorage,
  { onDamage, onRedaction }: Ends,
): SessionStorage {
  return {
    ...storage,
    follow: (sessionId, from, listener) => {
      let next = from
      let isOver = false
      return storage.follow(sessionId, from, (stored) => {
        for (const value of isOver ? [] : stored) {
          const event = readStoredEvent(value, next)
          isOver = event instanceof StorageError || event.type === 'message_redacted'
          if (event instanceof StorageError) return onDamage(event)
          if (isOver) return onRedaction()
          next += 1
          listener([event])
        }
      })
    },
  }
}
