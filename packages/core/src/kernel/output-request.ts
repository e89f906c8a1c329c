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
  /** The answer could not be checked, so nothing that a model does helps. */
  readonly failed?: true
}
