import { useAgentSelector } from '@offthread/react'
import type { ReactNode } from 'react'
import { useSession } from '../session.ts'
import { useAsk } from './use-ask.tsx'

/** Questions that an answer offers: one click asks one. During a run there is none to ask. */
export function Questions({ questions }: { readonly questions: readonly string[] }): ReactNode {
  const { agent } = useSession()
  const active = useAgentSelector(agent, (state) => state.isActive)
  const { ask, problem } = useAsk()
  return (
    <>
      <ul className="questions" aria-label="Questions to ask">
        {questions.map((question) => (
          <li key={question}>
            <button
              type="button"
              className="question"
              aria-disabled={active}
              onClick={() => void ask(question)}
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
