import type { Place } from './events.ts'

/** What the kernel knows of a tool. */
export interface ToolInfo {
  readonly label: string
  readonly place: Place
}

/** The settings that decisions depend on. Plain data: user functions are effects. */
export interface KernelConfig {
  /** By name. A map, because the names come from a model: `constructor` is not a tool. */
  readonly tools: ReadonlyMap<string, ToolInfo>
  /** Calls of one answer beyond this many are answered, not run. */
  readonly maxCallsPerTurn: number
  /** Characters of a result that the model reads. */
  readonly maxToolResultChars: number
}
