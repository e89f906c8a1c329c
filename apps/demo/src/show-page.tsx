import { StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { App } from './app.tsx'
import type { Session } from './session.ts'
import { textOfError } from './text/error-text.ts'
import { theme } from './theme/theme.ts'

/**
 * Renders the page of a session. Returns a function that shows a problem on it, or removes it. If `create` throws, the
 * page shows the message, and the error is rethrown.
 */
export function showPage(create: () => Session): (problem?: string) => void {
  theme.apply()
  const element = document.getElementById('root')
  if (!element) throw new Error('index.html has no element with the id "root".')
  const root = createRoot(element)
  const session = createOrShow(create, root)
  const show = (problem?: string): void => {
    root.render(
      <StrictMode>
        <App session={session} {...(problem !== undefined && { problem })} />
      </StrictMode>,
    )
  }
  show()
  return show
}

function createOrShow(create: () => Session, root: Root): Session {
  try {
    return create()
  } catch (error) {
    root.render(
      <pre className="small page-problem" role="alert">
        The page cannot start.{'\n'}
        {textOfError(error)}
      </pre>,
    )
    throw error
  }
}
