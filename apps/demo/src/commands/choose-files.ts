/** Lets the person choose files. Resolves without any if they choose none. Call it in the handler of a click or a key. */
export function chooseFiles(options: {
  readonly accept?: string
  readonly multiple?: boolean
}): Promise<readonly File[]> {
  const input = Object.assign(document.createElement('input'), { type: 'file', ...options })
  return new Promise((resolve) => {
    const end = (): void => resolve([...(input.files ?? [])])
    input.addEventListener('change', end)
    input.addEventListener('cancel', end)
    input.click()
  })
}
