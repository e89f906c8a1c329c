import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** The icons of a button that copies. The style shows the one for its state. */
export function CopyIcon(): ReactNode {
  return (
    <>
      <Icon name="copy" />
      <Icon name="check" />
      <Icon name="alert" />
    </>
  )
}
