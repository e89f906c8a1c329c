import { sessionsIn } from '@offthread/core/sessions'
import type { ReactNode } from 'react'
import { useAttempt } from '../chats/use-attempt.tsx'
import { useSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'

/** Opens a new chat that begins as this one does, up to an answer. This one stays as it is. */
export function ForkButton({ lastId }: { readonly lastId: string }): ReactNode {
  const { kept, isReplay } = useSession()
  const { attempt, note } = useAttempt()
  if (!kept || isReplay) return null
  const fork = async (): Promise<void> => {
    // The page opens the chat that its address names.
    location.hash = await sessionsIn(kept.storage).fork(kept.sessionId, lastId)
  }
  return (
    <>
      <Button
        className="action-button"
        aria-label="Go on from here in a new chat"
        title="Go on in a new chat"
        onClick={() => void attempt(fork)}
      >
        <Icon name="fork" />
      </Button>
      {note}
    </>
  )
}
