import * as Message from '@offthread/react/message'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'

/** The number of the shown version of a message (`2 / 3`), and buttons to the other versions. */
export function Versions(): ReactNode {
  return (
    <Message.BranchPicker className="versions">
      <Message.BranchPrevious className="action-button" aria-label="Version before">
        <Icon name="left" />
      </Message.BranchPrevious>
      <Message.BranchCount className="quiet version-count" />
      <Message.BranchNext className="action-button" aria-label="Version after">
        <Icon name="right" />
      </Message.BranchNext>
    </Message.BranchPicker>
  )
}
