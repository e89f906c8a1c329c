import * as Message from '@offthread/react/message'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'

/** Which of how many versions of a message is shown, and the way to the others. */
export function Versions(): ReactNode {
  return (
    <Message.BranchPicker className="versions">
      <Message.BranchPrevious className="action-button" aria-label="Version before">
        <Icon name="left" />
      </Message.BranchPrevious>
      <Message.BranchCount className="version-count" />
      <Message.BranchNext className="action-button" aria-label="Version after">
        <Icon name="right" />
      </Message.BranchNext>
    </Message.BranchPicker>
  )
}
