import type { Json } from '../internal/json.ts'
import type { ToolEndDraft } from './draft.ts'
import type { Part } from './message.ts'
import type { Artifact } from './tool-result.ts'
import { fits } from './truncate.ts'

/** What somebody who looked at a result puts in place of its fields. */
export interface ResultPatch {
  readonly content?: readonly Part[]
  readonly details?: Json
  readonly structuredContent?: Json
  readonly isError?: boolean
  readonly terminate?: boolean
}

/** The end of a call with some fields of its result replaced. */
export function amendEnd(end: ToolEndDraft, patch: ResultPatch, maxChars: number): ToolEndDraft {
  const { content = end.result.content, isError = end.isError } = patch
  const { details, structuredContent, terminate } = { ...end.result, ...defined(patch) }
  const { errorKind, truncatedForModel: _cut, ...rest } = end
  const kind = isError ? (errorKind ?? 'failed') : undefined
  const artifacts = artifactsAfter(end, patch)
  return {
    ...rest,
    isError,
    outcome: outcomeOf(end, isError),
    ...(kind && { errorKind: kind }),
    ...(!fits(content, maxChars) && { truncatedForModel: true }),
    result: {
      content,
      ...(details !== undefined && { details }),
      ...(structuredContent !== undefined && { structuredContent }),
      ...(artifacts.length > 0 && { artifacts }),
      ...(terminate && { terminate }),
    },
  }
}

/** What a hook has replaced is gone, whole as well as cut. */
function artifactsAfter({ result }: ToolEndDraft, patch: ResultPatch): readonly Artifact[] {
  const { artifacts = [] } = result
  const { content, details, structuredContent } = patch
  const isReplaced =
    content !== undefined || details !== undefined || structuredContent !== undefined
  return isReplaced ? artifacts.filter(({ isUncut }) => !isUncut) : artifacts
}

function outcomeOf(end: ToolEndDraft, isError: boolean): ToolEndDraft['outcome'] {
  if (isError === end.isError) return end.outcome
  return isError ? 'failed' : 'succeeded'
}

function defined(patch: ResultPatch): ResultPatch {
  const { details, structuredContent, terminate } = patch
  return {
    ...(details !== undefined && { details }),
    ...(structuredContent !== undefined && { structuredContent }),
    ...(terminate !== undefined && { terminate }),
  }
}
