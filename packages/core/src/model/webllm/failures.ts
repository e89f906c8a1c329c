import type { RunErrorKind } from '../../kernel/run-error.ts'
import { failure } from '../http/failures.ts'
import { ModelError, truncated } from '../port.ts'

/** What went wrong, in a sentence that says what to do about it. `hasBegun`: a part of the answer has arrived. */
export function engineFailure(error: unknown, hasBegun: boolean): ModelError {
  if (error instanceof ModelError) return error
  // An engine in a worker passes its errors on as texts, which begin with their names.
  const said = textOf(error).slice(0, 1000)
  const known = meanings.find(([pattern]) => pattern.test(said))
  if (known) return failure(known[1], known[2])
  return hasBegun
    ? truncated()
    : failure('overloaded', 'The engine failed. Try again, or load the model again.')
}

function textOf(error: unknown): string {
  try {
    return String(error)
  } catch {
    return ''
  }
}

const meanings: readonly (readonly [RegExp, RunErrorKind, string])[] = [
  [
    /^ContextWindowSizeExceededError/,
    'context_overflow',
    'The conversation is too long for the model. Shorten it or start a new one.',
  ],
  [
    /^(Worker(Engine)?)?ModelNotLoadedError|^SpecifiedModelNotFoundError|^UnclearModelToUseError/,
    'bad_request',
    'The engine has not loaded this model. Load it, or give its name as `model`.',
  ],
  [
    /^(UserMessageContentErrorForNonVLM|UnsupportedContentPartError|CannotFindImageEmbedError|PrefillChunkSizeSmallerThanImageError|UnsupportedImageURLError)/,
    'bad_request',
    'The model cannot read this image. Leave it out, or choose a model that reads images.',
  ],
  [
    /^GrammarMatcherInitError/,
    'bad_request',
    'The engine cannot hold the answer to the input of these tools. Simplify their schemas.',
  ],
  [
    /^DeviceLostError|device (was|is) lost|already (been )?disposed|out of memory/i,
    'bad_request',
    'The engine lost its graphics device, often for want of memory. Load the model again, or a smaller one.',
  ],
  [
    /^(WebGPUNot|ShaderF16Support|FeatureSupport)/,
    'bad_request',
    'This browser cannot run the model. Choose a smaller one, or another browser.',
  ],
]
