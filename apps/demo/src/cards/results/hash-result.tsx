import type { ReactNode } from 'react'
import { formatBytes } from '../../text/quantity.ts'

interface FileHash {
  readonly file: string
  readonly bytes: number
  readonly algorithm: string
  readonly hash: string
}

/** A checksum, whole, so that it can be compared. */
export function HashResult({ hash }: { readonly hash: FileHash }): ReactNode {
  return (
    <>
      <p className="hash-value">{hash.hash}</p>
      <p className="quiet">
        {hash.algorithm.toUpperCase()} of {hash.file}, {formatBytes(hash.bytes)}
      </p>
    </>
  )
}
