import type { ReactNode } from 'react'
import { useSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { devPrompts } from './starters.ts'

/** Under `?dev`: a button for each way a tool can misbehave. */
export function DevBar(): ReactNode {
  const { send } = useSession()
  return (
    <ul className="wrap dev-bar" aria-label="Misbehaving tools">
      {devPrompts.map(({ title, prompt }) => (
        <li key={title}>
          <Button className="cut soft dev-prompt" onClick={() => send(prompt)}>
            {title}
          </Button>
        </li>
      ))}
    </ul>
  )
}
