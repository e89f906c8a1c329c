import { useEffect } from 'react'

/** Alt + A leads to the next call that asks, Alt + R to the last answer. */
export function useHotkeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return
      // On some keyboards Alt makes another character of the key.
      const target = event.code === 'KeyA' ? nextQuestion() : lastAnswer(event.code)
      if (!target) return
      event.preventDefault()
      target.focus()
      target.scrollIntoView({ block: 'nearest' })
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

function nextQuestion(): HTMLElement | undefined {
  const questions = [...document.querySelectorAll<HTMLElement>('.card-approval')]
  const current = questions.findIndex((one) => one.contains(document.activeElement))
  const next = questions[(current + 1) % questions.length]
  return next?.querySelector('button') ?? undefined
}

function lastAnswer(code: string): HTMLElement | undefined {
  if (code !== 'KeyR') return undefined
  return [...document.querySelectorAll<HTMLElement>('.message-assistant')].at(-1)
}
