/** A deliberate fault: a patch of the product's own sources. */
export interface Mutant {
  readonly name: string
  readonly edits: readonly Edit[]
  /** The mode of the simulation that finds it. Absent: the usual one. */
  readonly mode?: string
}

export interface Edit {
  readonly file: string
  /** It has to be there exactly once. */
  readonly find: string
  readonly replace: string
}
