/** Puts the focus on the next call that asks to run. Says whether there is one. */
export function goToApproval(): boolean {
  const questions = [...document.querySelectorAll<HTMLElement>('.card-approval')]
  const current = questions.findIndex((one) => one.contains(document.activeElement))
  const next = questions[(current + 1) % questions.length]
  return go(next?.querySelector('button'))
}

/** Puts the focus on the last answer. Says whether there is one. */
export function goToAnswer(): boolean {
  return go([...document.querySelectorAll<HTMLElement>('.message-assistant')].at(-1))
}

/** Puts the focus on the message before or after the one it is in; from outside of them, on the last one. */
export function goToMessage(by: -1 | 1): boolean {
  const messages = [...document.querySelectorAll<HTMLElement>('.message')]
  const current = messages.findIndex((one) => one.contains(document.activeElement))
  return go(current < 0 ? messages.at(-1) : messages[current + by])
}

/** Opens the editor of the last question. Says whether that was possible. */
export function editLastQuestion(): boolean {
  const button = [...document.querySelectorAll<HTMLElement>('.edit-button')].at(-1)
  if (!button || button.ariaDisabled === 'true') return false
  button.click()
  return true
}

function go(target: HTMLElement | null | undefined): boolean {
  if (!target) return false
  target.focus()
  target.scrollIntoView({ block: 'nearest' })
  return true
}
