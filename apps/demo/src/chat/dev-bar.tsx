import type { ReactNode } from 'react'
import { useSession } from '../session.ts'
import { devPrompts } from './starters.ts'

/** Under `?dev`: one click for each way a tool can misbehave. */
export function DevBar(): ReactNode {
  const { send } = useSession()
  return (
    <ul className="dev-bar" aria-label="Misbehaving tools">
      {devPrompts.map((prompt) => (
        <li key={prompt}>
          <button type="button" className="dev-prompt" onClick={() => send(prompt, [])}>
            {prompt}
          </button>
        </li>
      ))}
    </ul>
  )
}
