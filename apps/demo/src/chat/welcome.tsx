import type { ReactNode } from 'react'
import { labelOfModel } from '../model/models.ts'
import { useModels, useSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { focusComposer } from './focus-composer.ts'
import { starters } from './starters.ts'
import { useAsk } from './use-ask.tsx'

export function Welcome(): ReactNode {
  const { isReplay } = useSession()
  const { ask, problem } = useAsk()
  return (
    <section className="welcome" aria-labelledby="welcome-title">
      <h2 id="welcome-title">
        <span>The agent runs in this page.</span> <span>Its tools run beside it.</span>
      </h2>
      <p className="welcome-lead">
        Every tool call gets a thread of its own: you see it work, you can stop it, and the page
        never waits for it. Your files stay in this browser.
      </p>
      <ul className="starters">
        {starters.map(({ title, prompt }) => (
          <li key={title}>
            <Button
              className="starter"
              disabled={isReplay}
              onClick={() => {
                focusComposer()
                void ask(prompt)
              }}
            >
              <span className="small starter-title">{title}</span>
              <span className="starter-prompt">{prompt}</span>
            </Button>
          </li>
        ))}
      </ul>
      {problem}
      <p className="quiet welcome-note">
        The tables are the time zones of the tz database, and orders that the page makes up. Or drop
        a file of your own anywhere: a table (CSV, TSV, JSON), an image, or a text. <WhoAnswers />
      </p>
    </section>
  )
}

function WhoAnswers(): ReactNode {
  const state = useModels()
  if (state.settings.provider === 'planner') {
    return (
      <>
        The answers come from a <strong>scripted planner</strong>: rules with a short grammar. For
        free wording, choose a model in the menu above.
      </>
    )
  }
  const { name, detail } = labelOfModel(state)
  return (
    <>
      The answers come from <strong>{name}</strong> ({detail}).
    </>
  )
}
