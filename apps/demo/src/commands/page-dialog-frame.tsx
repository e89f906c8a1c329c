import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { useSession } from '../session.ts'
import { Dialog } from '../ui/dialog.tsx'
import type { PageDialog } from './page-dialogs.ts'

interface PageDialogFrameProps {
  readonly dialog: PageDialog
  readonly title: string
  readonly children: ReactNode
}

/** A dialog that is open while the page says so. */
export function PageDialogFrame({ dialog, title, children }: PageDialogFrameProps): ReactNode {
  const { dialogs } = useSession()
  const { open } = useStore(dialogs)
  return (
    <Dialog title={title} isOpen={open === dialog} onClose={() => dialogs.close(dialog)}>
      {children}
    </Dialog>
  )
}
