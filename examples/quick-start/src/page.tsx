// page.tsx: all that the page loads at first. The agent follows with the first question.
import { lazy, type ReactNode, Suspense, useState } from 'react'

const loadChat = () => import('./chat.tsx')
const Chat = lazy(async () => ({ default: (await loadChat()).Chat }))

export function Page(): ReactNode {
  const [isOpen, setOpen] = useState(false)

  async function ask(form: FormData): Promise<void> {
    const { agent } = await import('./agent.ts')
    setOpen(true)
    void agent.prompt(String(form.get('question')))
  }

  if (isOpen) {
    return (
      <Suspense>
        <Chat />
      </Suspense>
    )
  }
  return (
    // The download starts while the user types.
    <form action={ask} onFocus={() => void loadChat()}>
      <input name="question" aria-label="Question" required />
      <button type="submit">Ask</button>
    </form>
  )
}
