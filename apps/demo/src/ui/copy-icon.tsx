import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** The icon of a button that copies. Its style shows the one for what happened. */
export function CopyIcon(): ReactNode {
  return (
    <>
      <Icon name="copy" />
      <Icon name="check" />
      <Icon name="alert" />
    </>
  )
}
