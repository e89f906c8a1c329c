import { AgentUsageError } from './usage-errors.ts'

/** Code that a page does not start with. Once it is loaded, a command that needs it is written at once or not at all. */
export interface LatePart<Part> {
  /** `null` before it is loaded. */
  readonly now: () => Part | null
  /** Loads the part and resolves with it. Rejects with an `AgentUsageError` if it cannot be loaded. */
  readonly load: () => Promise<Part>
}

export function latePart<Part>(load: () => Promise<Part>): LatePart<Part> {
  let part: Part | null = null
  return {
    now: () => part,
    load: async () => {
      try {
        part ??= await load()
        return part
      } catch (cause) {
        throw new AgentUsageError(
          'not_loaded',
          'Nothing was done: a part of the app could not be loaded; if it stays so, reload the page.',
          { cause },
        )
      }
    },
  }
}
