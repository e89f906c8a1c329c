import type { ReactNode } from 'react'
import { useState } from 'react'
import { fetchSample } from '../files/sample.ts'
import { labelOfModel } from '../model/label.ts'
import { useModels } from '../model/use-models.ts'
import { useSession } from '../session.ts'
import { textOfError } from '../text/error-text.ts'
import type { Starter } from './starters.ts'
import { starters } from './starters.ts'

/** What there is to see before the first question. */
export function Welcome(): ReactNode {
  const { send, hasFile } = useSession()
  const [problem, setProblem] = useState<string | null>(null)
  const start = async ({ prompt }: Starter): Promise<void> => {
    try {
      const files = (await fetchSample()).map((file) => ({ name: file.name, file }))
      send(
        prompt,
        files.filter(({ name }) => !hasFile(name)),
      )
    } catch (error) {
      setProblem(textOfError(error))
    }
  }
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
        {starters.map((starter) => (
          <li key={starter.title}>
            <button type="button" className="starter" onClick={() => void start(starter)}>
              <span className="starter-title">{starter.title}</span>
              <span className="starter-prompt">{starter.prompt}</span>
            </button>
          </li>
        ))}
      </ul>
      {problem && (
        <p className="run-error" role="alert">
          {problem}
        </p>
      )}
      <p className="welcome-note">
        These use two tables that ship with the page: the time zones and countries of the tz
        database. Or drop a CSV, TSV or JSON file of your own anywhere. <WhoAnswers />
      </p>
    </section>
  )
}

function WhoAnswers(): ReactNode {
  const state = useModels()
  if (state.settings.provider === 'planner') {
    return (
      <>
        The answers come from a <strong>scripted planner</strong>: rules, not a language model.
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
