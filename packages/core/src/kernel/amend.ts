import { defined } from '../internal/defined.ts'
import type { Json } from '../internal/json.ts'
import type { ToolEndDraft } from './draft.ts'
import type { Part } from './message.ts'
import { fits } from './truncate-for-model.ts'

/** The fields of a result that a hook replaces. */
export interface ResultPatch {
  readonly content?: readonly Part[]
  readonly details?: Json
  readonly structuredContent?: Json
  readonly isError?: boolean
  readonly terminate?: boolean
}

/** The end of a call with some fields of its result replaced. */
export function amendEnd(end: ToolEndDraft, patch: ResultPatch, maxChars: number): ToolEndDraft {
  const { result } = end
  const { content = result.content, details = result.details, isError = end.isError } = patch
  const { structuredContent = result.structuredContent, terminate = result.terminate } = patch
  const { errorKind, truncatedForModel: _cut, partialResult, logs, ...rest } = end
  // When a hook replaces what the model or the page reads, the other parts of the result must not show the original.
  const isReplaced = [patch.content, patch.details, patch.structuredContent].some(
    (field) => field !== undefined,
  )
  const artifacts = result.artifacts?.filter(({ isFullResult }) => !isFullResult || !isReplaced)
  return {
    ...rest,
    isError,
    outcome: outcomeOf(end, isError),
    ...(isError && { errorKind: errorKind ?? 'failed' }),
    ...(!fits(content, maxChars) && { truncatedForModel: true }),
    ...(!isReplaced && defined({ partialResult: isError ? partialResult : undefined, logs })),
    result: {
      content,
      ...defined({ details, structuredContent, terminate: terminate || undefined }),
      ...(artifacts && artifacts.length > 0 && { artifacts }),
    },
  }
}

function outcomeOf(end: ToolEndDraft, isError: boolean): ToolEndDraft['outcome'] {
  if (isError === end.isError) return end.outcome
  return isError ? 'failed' : 'succeeded'
}
