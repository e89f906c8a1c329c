import { readStoredEvent } from '../../runtime/stored-event.ts'
import { type SessionStorage, StorageError } from '../../storage/port.ts'

/** The storage, of which only events of this version are followed: the first other one ends that, and is reported. */
export function followChecked(
  storage: SessionStorage,
  onDamage: (damage: StorageError) => void,
): SessionStorage {
  return {
    ...storage,
    follow: (sessionId, from, listener) => {
      let next = from
      let isOver = false
      return storage.follow(sessionId, from, (stored) => {
        for (const value of isOver ? [] : stored) {
          const event = readStoredEvent(value, next)
          if (event instanceof StorageError) {
            isOver = true
            return onDamage(event)
          }
          next += 1
          listener([event])
        }
      })
    },
  }
}
