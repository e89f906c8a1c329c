import type { JsonObject } from '../internal/json.ts'

/** What a run is to end with: an answer that is one JSON object of this schema. */
export interface OutputRequest {
  /** JSON Schema (draft 2020-12). */
  readonly schema: JsonObject
  /** How often the model is asked to repair an answer that does not fit. */
  readonly maxRepairs: number
}

/** What a check of an answer gave. */
export interface OutputVerdict {
  /** Why the answer does not fit, as sentences; absent for one that does. */
  readonly problem?: string
  /** The check itself failed, so the answer may be right: the model is not asked for a repair. */
  readonly failed?: true
}
