import type { OutputOf, OutputOptions, OutputSchema } from './output-schema.ts'
import type { RunResult } from './run.ts'

/** Starts a run: for an answer in words, or for one that fits a schema. */
export interface Ask<Input extends readonly unknown[], Options> {
  (...given: [...input: Input, options?: Options]): Promise<RunResult<never>>
  <Schema extends OutputSchema>(
    ...given: [...input: Input, options: Options & OutputOptions<Schema>]
  ): Promise<RunResult<OutputOf<Schema>>>
}

/** The options of a run. */
export interface RunOptions {
  /** Aborting it stops the run. */
  readonly signal?: AbortSignal
}

/** The options of a prompt. */
export interface PromptOptions extends RunOptions {
  /**
   * The id of the message after which the prompt is said, `null` for before the first; default the last one. What came
   * after that message stays on a branch of its own. To edit a question, give its `parentId`.
   */
  readonly after?: string | null
}
