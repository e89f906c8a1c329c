import { isObject } from '../internal/json.ts'
import type { SessionStorage } from './port.ts'

/** The channel of pages that show the list of sessions. It is named like a session, but is none. */
const listChannel = 'offthread:sessions'

const changed = { list: 'changed' } as const

/** The news that the list of sessions has changed, to this page and to others. */
export interface ListChannel {
  readonly post: () => void
  readonly close: () => void
}

/** Connects pages that change the list with pages that show it. The listener is not called for its own posts. */
export function joinList(storage: SessionStorage, listener: () => void = () => {}): ListChannel {
  const { post, close } = storage.connect(listChannel, (message) => {
    if (isObject(message) && message['list'] === changed.list) listener()
  })
  return { post: () => post(changed), close }
}
