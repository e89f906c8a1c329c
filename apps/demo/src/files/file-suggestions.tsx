import { type ReactNode, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { QuestionList } from '../chat/questions.tsx'
import { useAsk } from '../chat/use-ask.tsx'
import { useSession } from '../session.ts'
import type { PendingFile } from './attachments.ts'

/** Questions about the file that was attached last, made from its columns. */
export function FileSuggestions(): ReactNode {
  const { attachments } = useSession()
  const files = useStore(attachments)
  const questions = useQuestions(files.at(-1))
  const { ask, problem } = useAsk()
  if (questions.length === 0) return null
  const askWithFiles = async (question: string): Promise<void> => {
    if (await ask(question, { files })) attachments.clear()
  }
  return (
    <>
      <QuestionList
        label="Questions about the file"
        className="small file-questions"
        questions={questions}
        onAsk={(question) => void askWithFiles(question)}
      />
      {problem}
    </>
  )
}

const none: readonly string[] = []

function useQuestions(last: PendingFile | undefined): readonly string[] {
  const [known, setKnown] = useState({ of: last, questions: none })
  useEffect(() => {
    if (!last) return
    let isGone = false
    const find = async (): Promise<void> => {
      const { suggestQuestions } = await import('./suggest-questions.ts')
      const questions = await suggestQuestions(last.name, last.file)
      if (!isGone) setKnown({ of: last, questions })
    }
    // What is wrong with the file is said once it is sent.
    find().catch(() => {})
    return () => {
      isGone = true
    }
  }, [last])
  return known.of === last ? known.questions : none
}
