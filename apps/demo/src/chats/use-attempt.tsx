import { type ReactNode, useState } from 'react'
import { textOfError } from '../text/error-text.ts'

/** Does work that may fail. `note` says that it is being done, or why it failed. */
export function useAttempt() {
  const [note, setNote] = useState<ReactNode>(null)
  const attempt = async <Result,>(work: () => Promise<Result>): Promise<Result | undefined> => {
    setNote(<p role="status">One moment…</p>)
    try {
      const result = await work()
      setNote(null)
      return result
    } catch (error) {
      // The page calls a session a chat.
      const why = textOfError(error).replaceAll(/\bsession\b/g, 'chat')
      setNote(
        <p className="soft field-problem" role="alert">
          {why}
        </p>,
      )
      return undefined
    }
  }
  return { attempt, note, setNote }
}
