/** What the address of the page asks for. */
export interface PageOptions {
  /** `?dev`: tools that misbehave, and the agent as `window.offthread`. */
  readonly dev: boolean
  /** `?dev&delay=0`: milliseconds between two pieces of an answer. */
  readonly delayMs?: number
}

export function readPageOptions(search: string): PageOptions {
  const parameters = new URLSearchParams(search)
  const dev = parameters.has('dev')
  const delay = Number(parameters.get('delay') ?? Number.NaN)
  return { dev, ...(dev && Number.isFinite(delay) && delay >= 0 && { delayMs: delay }) }
}
