import type { ReactNode } from 'react'
import { useSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { focusComposer } from './focus-composer.ts'
import { useAsk } from './use-ask.tsx'

/** Questions that an answer offers: one click asks one. During a run it waits. */
export function Questions({ questions }: { readonly questions: readonly string[] }): ReactNode {
  const { ask, problem } = useAsk()
  return (
    <>
      <QuestionList
        label="Questions to ask"
        questions={questions}
        onAsk={(text) => void ask(text)}
      />
      {problem}
    </>
  )
}

interface QuestionListProps {
  readonly label: string
  readonly className?: string
  readonly questions: readonly string[]
  readonly onAsk: (question: string) => void
}

/** Questions as buttons. A replay asks none. */
export function QuestionList(props: QuestionListProps): ReactNode {
  const { label, className = '', questions, onAsk } = props
  const { isReplay } = useSession()
  return (
    <ul className={`wrap questions ${className}`} aria-label={label}>
      {questions.map((question) => (
        <li key={question}>
          <Button
            className="question"
            disabled={isReplay}
            onClick={() => {
              focusComposer()
              onAsk(question)
            }}
          >
            {question}
          </Button>
        </li>
      ))}
    </ul>
  )
}
