import { checkDemoTools, createDemoAgent } from './agent.ts'
import { readPageOptions } from './page-options.ts'
import { countRenders } from './render-report.ts'
import { createSession } from './session.ts'
import { showPage } from './show-page.tsx'
import { textOfError } from './text/error-text.ts'
import { createDataStore } from './tools/tables.ts'

const options = { ...readPageOptions(location.search), store: createDataStore() }
const tell = showPage(() => {
  const agent = createDemoAgent(options)
  if (options.dev) Object.assign(window, { offthread: { agent, renders: countRenders() } })
  return createSession(agent, options)
})

if (import.meta.env.DEV) {
  checkDemoTools(options).catch((error: unknown) => {
    tell(`The tools are not complete.\n${textOfError(error)}`)
  })
}
