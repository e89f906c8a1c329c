import { Fragment, type ReactNode } from 'react'
import { inPlace } from '../ui/in-place.ts'
import { nameOfKey } from './shortcuts.ts'

interface KeyNamesProps {
  /** Alternatives, each of keys that are pressed together. */
  readonly keys: readonly string[]
}

/** Keys as they stand on the keyboard: `Ctrl + J`. */
export function KeyNames({ keys }: KeyNamesProps): ReactNode {
  return (
    <span className="soft key-names">
      {inPlace(keys, (together, index) => (
        <Fragment>
          {index > 0 && ' or '}
          {inPlace(together.split(' + '), (key, at) => (
            <Fragment>
              {at > 0 && ' + '}
              <kbd>{nameOfKey(key)}</kbd>
            </Fragment>
          ))}
        </Fragment>
      ))}
    </span>
  )
}
