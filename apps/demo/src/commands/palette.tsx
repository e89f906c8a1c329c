import { lazy, type ReactNode, Suspense } from 'react'
import { flushSync } from 'react-dom'
import { useSession } from '../session.ts'
import { PageDialogFrame } from './page-dialog-frame.tsx'
import type { PageParts } from './page-parts.ts'

const Commands = lazy(async () => ({ default: (await import('./command-list.tsx')).Commands }))
const KeyMap = lazy(async () => ({ default: (await import('./key-map.tsx')).KeyMap }))

/** The list of commands, and that of keys. They are loaded when they are opened. */
export function Palette({ page }: { readonly page: PageParts }): ReactNode {
  const { dialogs } = useSession()
  return (
    <>
      <PageDialogFrame dialog="commands" title="Commands">
        <Suspense fallback={<Loading />}>
          <Commands
            page={page}
            onRun={(command) => {
              // Before the command: closing moves the focus back, and the command may move it elsewhere.
              flushSync(() => dialogs.close('commands'))
              command.run()
            }}
          />
        </Suspense>
      </PageDialogFrame>
      <PageDialogFrame dialog="keys" title="Keyboard shortcuts">
        <Suspense fallback={<Loading />}>
          <KeyMap />
        </Suspense>
      </PageDialogFrame>
    </>
  )
}

/** Shown while the content of a dialog is being loaded. */
function Loading(): ReactNode {
  return (
    <p className="commands-loading" role="status">
      Loading…
    </p>
  )
}
