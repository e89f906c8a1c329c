import type { ReactNode } from 'react'
import { useAsk } from './use-ask.tsx'

/** Questions that an answer offers: one click asks one. During a run it waits. */
export function Questions({ questions }: { readonly questions: readonly string[] }): ReactNode {
  const { ask, problem } = useAsk()
  return (
    <>
      <ul className="questions" aria-label="Questions to ask">
        {questions.map((question) => (
          <li key={question}>
            <button type="button" className="question" onClick={() => void ask(question)}>
              {question}
            </button>
          </li>
        ))}
      </ul>
      {problem}
    </>
  )
}
