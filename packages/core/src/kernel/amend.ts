import { defined } from '../internal/defined.ts'
import type { Json } from '../internal/json.ts'
import type { ToolEndDraft } from './draft.ts'
import type { Part } from './message.ts'
import { fits } from './truncate.ts'

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
  const { errorKind, truncatedForModel: _cut, ...rest } = end
  return {
    ...rest,
    isError,
    outcome: outcomeOf(end, isError),
    ...(isError && { errorKind: errorKind ?? 'failed' }),
    ...(!fits(content, maxChars) && { truncatedForModel: true }),
    result: {
      content,
      ...defined({ details, structuredContent, terminate: terminate || undefined }),
      ...artifactsAfter(end, patch),
    },
  }
}

// When a hook replaces what the model or the page reads, the file with the full result has to go as well.
function artifactsAfter({ result: { artifacts = [] } }: ToolEndDraft, patch: ResultPatch) {
  const { content, details, structuredContent } = patch
  const isReplaced = [content, details, structuredContent].some((field) => field !== undefined)
  const kept = artifacts.filter(({ isFullResult }) => !isFullResult || !isReplaced)
  return kept.length > 0 && { artifacts: kept }
}

function outcomeOf(end: ToolEndDraft, isError: boolean): ToolEndDraft['outcome'] {
  if (isError === end.isError) return end.outcome
  return isError ? 'failed' : 'succeeded'
}
