import { expect, test } from 'vitest'
import { amendEnd, type ResultPatch } from './amend.ts'
import type { ToolEndDraft } from './draft.ts'
import { text } from './log.fixtures.ts'

const returned: ToolEndDraft = {
  type: 'tool_execution_end',
  toolCallId: 'call_1',
  toolName: 'add',
  attempt: 1,
  result: { content: [text('5')], details: { ms: 3 }, structuredContent: 5, terminate: true },
  isError: false,
  outcome: 'succeeded',
  mayHaveRun: true,
}
const threw: ToolEndDraft = {
  ...returned,
  result: { content: [text('No.')] },
  isError: true,
  outcome: 'failed',
  errorKind: 'not_found',
}
const whole = 10_000

test('[I17] what a hook does not name stays as it was', () => {
  expect(amendEnd(returned, {}, whole)).toEqual(returned)
  expect(amendEnd(threw, {}, whole)).toEqual(threw)
})

test.for<[string, ResultPatch, object]>([
  ['content', { content: [text('five')] }, { content: [text('five')] }],
  ['details', { details: 'none' }, { details: 'none' }],
  ['details with nothing', { details: null }, { details: null }],
  ['structuredContent', { structuredContent: 6 }, { structuredContent: 6 }],
])('[I17] [S004-8] a hook replaces %s, and nothing else', ([, patch, changed]) => {
  expect(amendEnd(returned, patch, whole)).toEqual({
    ...returned,
    result: { ...returned.result, ...changed },
  })
})

test('[I17] [I24] a hook may say that the run ends, or that it does not', () => {
  expect(amendEnd(returned, { terminate: false }, whole).result).not.toHaveProperty('terminate')
  expect(amendEnd(threw, { terminate: true }, whole).result.terminate).toBe(true)
})

test('[I17] a hook may make an error of a result', () => {
  expect(amendEnd(returned, { isError: true }, whole)).toEqual({
    ...returned,
    isError: true,
    outcome: 'failed',
    errorKind: 'failed',
  })
})

test('[I17] a hook may make a result of an error', () => {
  const { errorKind: _errorKind, ...rest } = threw

  expect(amendEnd(threw, { isError: false, content: [text('Nothing.')] }, whole)).toEqual({
    ...rest,
    isError: false,
    outcome: 'succeeded',
    result: { content: [text('Nothing.')] },
  })
})

test('[I17] an error that stays one keeps its kind and its outcome', () => {
  const cancelledByItself: ToolEndDraft = { ...threw, outcome: 'cancelled', errorKind: 'cancelled' }

  expect(amendEnd(cancelledByItself, { isError: true }, whole)).toEqual(cancelledByItself)
})

test('[I19] whether the model reads a shortened result is computed again', () => {
  const long = { content: [text('a'.repeat(11))] }

  expect(amendEnd(returned, long, 10).truncatedForModel).toBe(true)
  expect(amendEnd({ ...returned, truncatedForModel: true }, {}, 10)).not.toHaveProperty(
    'truncatedForModel',
  )
})

test.for<[string, ResultPatch, boolean]>([
  ['changes nothing', {}, true],
  ['ends the run', { terminate: true }, true],
  ['replaces the content', { content: [] }, false],
  ['replaces the details', { details: null }, false],
  ['replaces the structured content', { structuredContent: 1 }, false],
  ['makes a result of it', { isError: false }, false],
])('[D91] of an error a hook that %s leaves its partial result: %s', ([, patch, isLeft]) => {
  const partialResult = { content: [text('Half.')] }

  const end = amendEnd({ ...threw, partialResult }, patch, whole)

  expect(end.partialResult).toEqual(isLeft ? partialResult : undefined)
})

test.for<[string, ResultPatch, boolean]>([
  ['changes nothing', {}, true],
  ['makes an error of it', { isError: true }, true],
  ['replaces the content', { content: [] }, false],
  ['replaces the details', { details: null }, false],
  ['replaces the structured content', { structuredContent: 1 }, false],
])('[D137] a hook that %s leaves the end of the log: %s', ([, patch, isLeft]) => {
  const logs = { lines: [{ level: 'info' as const, text: 'Half.', t: 1 }], dropped: 3 }

  expect(amendEnd({ ...returned, logs }, patch, whole).logs).toEqual(isLeft ? logs : undefined)
})

test('artifacts stay with their result', () => {
  const artifacts = [{ artifactId: 'a', name: 'a.png', mediaType: 'image/png', bytes: 3 }]
  const end = { ...returned, result: { ...returned.result, artifacts } }

  expect(amendEnd(end, { content: [] }, whole).result.artifacts).toEqual(artifacts)
})
