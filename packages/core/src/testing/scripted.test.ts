import { describe, expect, expectTypeOf, test } from 'vitest'
import type { RunErrorKind } from '../kernel/run-error.ts'
import { answer, call as callPart, result, user } from '../model/format/conversations.fixtures.ts'
import { failure } from '../model/http/failures.ts'
import { modelContract, type Situation } from '../model/model.contract.ts'
import { type Model, type ModelChunk, ModelError } from '../model/port.ts'
import {
  breakOff,
  call,
  fail,
  finish,
  hold,
  type ScriptedPart,
  say,
  scriptedModel,
  uses,
} from './scripted.ts'
import { transcriptProblems } from './strict-transcript.ts'

const hi = user('Hi')
const asks = answer([callPart('a', '{}')])

const kinds = [
  ['rate_limited', true],
  ['overloaded', true],
  ['timeout', true],
  ['network', true],
  ['truncated_stream', true],
  ['protocol', true],
  ['stalled', true],
  ['auth', false],
  ['permission', false],
  ['billing', false],
  ['cors', false],
  ['context_overflow', false],
  ['too_large', false],
  ['bad_request', false],
  ['refusal', false],
  ['invalid_output', false],
  ['storage', false],
  ['internal', false],
] as const

modelContract('scriptedModel', (situation) => {
  const parts = partsIn(situation)
  return scriptedModel(parts, parts)
})

describe('the scripted model', () => {
  test.for([
    [[hi, asks, hi], '[I28] The call "a" has no result.'],
    [[hi, result('a', [])], '[I28] The result of "a" does not follow its call.'],
    [[hi, asks, result('a', []), asks, result('a', [])], '[I7] The call id "a" is used twice.'],
    [[], '[I28] The conversation is empty: there is nothing to answer.'],
  ] as const)('[I28] refuses %j and says %s', async ([messages, problem]) => {
    const model = scriptedModel([say('Hello.')])

    const { error } = await failureOf(ask(model, messages))

    expect(error).toEqual({
      kind: 'bad_request',
      message: problem,
      retryable: false,
      details: { problems: transcriptProblems(messages) },
    })
    expect(model.requests).toHaveLength(1)
  })

  test('has no more answers than its script', async () => {
    const { error } = await failureOf(ask(scriptedModel()))

    expect(error.message).toBe('There is no answer 1 in the script.')
  })

  test.for(kinds)(
    '[M4] fails with %s as the adapters of the providers do, retryable: %s',
    async ([kind, retryable]) => {
      expectTypeOf(kind).toEqualTypeOf<RunErrorKind>()

      const { error } = await failureOf(ask(scriptedModel([fail(kind)])))

      expect(error).toEqual({ kind, message: 'It failed.', retryable })
      expect(failure(kind, 'It failed.').error).toEqual(error)
    },
  )

  test('fails where the script says so', async () => {
    const details = { retryable: false, retryAfterMs: 2000, status: 429 }

    const { error } = await failureOf(ask(scriptedModel([fail('rate_limited', 'Wait.', details)])))

    expect(error).toEqual({ kind: 'rate_limited', message: 'Wait.', ...details })
  })

  test('breaks off without having finished', async () => {
    const chunks = await ask(scriptedModel([say('I'), breakOff(), say('not said')]))

    expect(chunks.at(-1)).toEqual({ type: 'text_end', contentIndex: 0 })
  })

  test('uses the tokens of the script, wherever they stand in it', async () => {
    const model = scriptedModel([uses({ cacheReadTokens: 7 }), say('Hi.'), uses({ cost: 0.25 })])

    expect((await ask(model)).at(-1)).toEqual({
      type: 'finish',
      stopReason: 'stop',
      usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 7, cost: 0.25 },
    })
  })

  test('reports cost if it says so, also where there is none', async () => {
    const identity = { provider: 'anthropic', id: 'claude-test' }
    const model = scriptedModel({ reportsCost: true, identity }, [say('Hi.')], [])

    expect(model).toMatchObject({ reportsCost: true, identity })
    expect((await ask(model)).at(-1)).toMatchObject({ usage: { cost: 0 } })
    expect((await ask(model)).at(-1)).toMatchObject({ usage: { cost: 0 } })
    expect(scriptedModel([])).not.toHaveProperty('reportsCost')
  })

  test.for([
    [finish('refusal', 'It is about locks.'), { explanation: 'It is about locks.' }],
    [finish('refusal'), {}],
    [finish('pause_turn'), {}],
    [finish('context_overflow'), {}],
    [finish('max_tokens'), {}],
  ] as const)('finishes as %j', async ([part, more]) => {
    const chunks = await ask(scriptedModel([say('I'), part, say('not said')]))

    const { stopReason } = part.type === 'finish' ? part : { stopReason: undefined }
    const usage = { inputTokens: 10, outputTokens: 5 }
    expect(chunks.at(-1)).toEqual({ type: 'finish', stopReason, usage, ...more })
    expect(chunks).toHaveLength(4)
  })
})

function partsIn(situation: Situation): readonly ScriptedPart[] {
  switch (situation) {
    case 'answers':
      return [say('I look it up.'), call('clock', { city: 'Kyiv' }), call('clock')]
    case 'ends early':
      return [say('I look'), fail('truncated_stream')]
    case 'breaks':
      return [say('I look'), fail('network')]
    case 'stalls':
      return [say('I look'), hold()]
    case 'is silent':
      return [hold()]
  }
}

async function ask(
  model: Model,
  messages: readonly ReturnType<typeof user>[] = [hi],
): Promise<readonly ModelChunk[]> {
  const request = { system: '', messages, tools: [] }
  const chunks: ModelChunk[] = []
  for await (const chunk of model.stream(request, { signal: new AbortController().signal })) {
    chunks.push(chunk)
  }
  return chunks
}

async function failureOf(asking: Promise<unknown>): Promise<ModelError> {
  const thrown: unknown = await asking.catch((error: unknown) => error)
  if (thrown instanceof ModelError) return thrown
  throw new Error('It did not fail.', { cause: thrown })
}
