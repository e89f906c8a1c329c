import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { checkDemoTools, createDemoAgent } from './agent.ts'
import { App } from './app.tsx'
import { readPageOptions } from './page-options.ts'
import { countRenders } from './render-report.ts'
import { createSession } from './session.ts'
import { applyTheme, storedTheme } from './theme/theme.ts'
import { createDataStore } from './tools/tables.ts'

applyTheme(storedTheme())

const element = document.getElementById('root')
if (!element) throw new Error('index.html has no element with the id "root".')

const options = { ...readPageOptions(location.search), store: createDataStore() }
const agent = createDemoAgent(options)
const session = createSession(agent, options)
const root = createRoot(element)

function show(problem?: string): void {
  root.render(
    <StrictMode>
      <App session={session} {...(problem !== undefined && { problem })} />
    </StrictMode>,
  )
}

show()
if (options.dev) Object.assign(window, { offthread: { agent, renders: countRenders() } })
if (import.meta.env.DEV) {
  checkDemoTools(options).catch((error: unknown) => {
    show(`The tools are not complete.\n${error instanceof Error ? error.message : String(error)}`)
  })
}
