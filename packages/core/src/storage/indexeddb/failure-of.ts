import { messageOf } from '../../internal/message-of.ts'
import { StorageError, type StorageErrorKind } from '../port.ts'

/** What the browser threw, as an error of a storage. */
export function failureOf(thrown: unknown): StorageError {
  if (thrown instanceof StorageError) return thrown
  const known = thrown instanceof DOMException ? failures[thrown.name] : undefined
  if (!known) return new StorageError('unknown', messageOf(thrown), { cause: thrown })
  return new StorageError(...known, { cause: thrown })
}

/** For instance of a value that it cannot read. */
const givenUp =
  'The browser gave up in the middle of this: some of what it has stored may be damaged.'

const failures: { readonly [name: string]: readonly [StorageErrorKind, string] } = {
  QuotaExceededError: [
    'full',
    'The browser gives this page no more space. Delete old sessions or free space on the device.',
  ],
  VersionError: [
    'newer',
    'A newer version of this app has been used here. Reload this page to get it.',
  ],
  AbortError: ['unknown', givenUp],
  SecurityError: [
    'unavailable',
    'This browser keeps no data for this page, by its settings or because the window is private.',
  ],
}
