import type { SessionStorage } from '@offthread/core/storage'
import type { Files } from './files.ts'
import type { Lines } from './lines.ts'
import type { Link } from './link.ts'
import { headerLine, nothing } from './log-message.ts'
import type { Names } from './names.ts'
import { publish } from './publish.ts'
import type { Records } from './records.ts'
import type { StoredLog } from './stored-log.ts'

export interface RemovalOptions {
  readonly link: Link
  readonly names: Names
  readonly log: StoredLog
  readonly records: Records
  readonly files: Files
  readonly lines: Lines
  readonly newId: () => string
}

/**
 * Deletes a session. First a message says that its log begins again, so that no owner writes on. Then everything before
 * it is removed, and at last this message. A deletion that breaks off can be done again.
 */
export function createRemoval(options: RemovalOptions): SessionStorage['delete'] {
  const { link, names, log, records, files, lines, newId } = options
  return async (sessionId) => {
    const [tail, record] = await Promise.all([log.tail(sessionId), records.get(sessionId)])
    if (tail.seq === 0 && !record) return
    const { seq: _, ...empty } = nothing
    const seq = await publish(link, {
      ...{ subject: names.log(sessionId), id: newId(), data: new Uint8Array() },
      header: headerLine({ ...empty, isStart: true }),
    })
    if (record) await files.removeAll(record)
    await records.remove(sessionId)
    await log.removeBefore(sessionId, seq + 1)
    lines.post(sessionId, { kind: 'deleted' })
  }
}
