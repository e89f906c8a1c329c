import type { ReactNode } from 'react'
import { useSession } from '../session.ts'
import { focusComposer } from './focus-composer.ts'
import { useAsk } from './use-ask.tsx'

/** Questions that an answer offers: one click asks one. During a run it waits. */
export function Questions({ questions }: { readonly questions: readonly string[] }): ReactNode {
  const { isReplay } = useSession()
  const { ask, problem } = useAsk()
  return (
    <>
      <ul className="questions" aria-label="Questions to ask">
        {questions.map((question) => (
          <li key={question}>
            <button
              type="button"
              className="question"
              disabled={isReplay}
              onClick={() => {
                focusComposer()
                void ask(question)
              }}
            >
              {question}
            </button>
          </li>
        ))}
      </ul>
      {problem}
    </>
  )
}
