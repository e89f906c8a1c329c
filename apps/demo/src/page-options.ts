/** Options in the address of the page. */
export interface PageOptions {
  /** `?dev` adds tools that misbehave, and the agent as `window.offthread`. */
  readonly dev: boolean
  /** `?dev&delay=0` sets the milliseconds between two pieces of an answer. */
  readonly delayMs?: number
}

export function readPageOptions(search: string): PageOptions {
  const parameters = new URLSearchParams(search)
  const dev = parameters.has('dev')
  const delay = Number(parameters.get('delay') ?? Number.NaN)
  return { dev, ...(dev && Number.isFinite(delay) && delay >= 0 && { delayMs: delay }) }
}
