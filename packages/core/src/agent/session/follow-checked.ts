import { readStoredEvent } from '../../runtime/read-stored-event.ts'
import { type SessionStorage, StorageError } from '../../storage/port.ts'

/** The reasons to stop following a session. Each is called at most once. */
interface Ends {
  readonly onDamage: (damage: StorageError) => void
  /** Something was removed from the events before this one: all have to be read again. */
  readonly onRedaction: () => void
}

/** The storage, whose followed events are checked and lifted to this version, up to one that changes earlier events. */
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
