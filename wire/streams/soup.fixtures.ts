import { expect } from 'vitest'
import type { Model, ModelChunk } from '../../packages/core/src/index.ts'
import { maxDepth } from '../../packages/core/src/internal/read-json.ts'
import { grammarErrors } from '../../packages/core/src/model/model.contract.ts'
import type { Protocol } from '../exchange.ts'
import { canary } from '../page/models.ts'
import { failureOf, readFrom } from './read.fixtures.ts'
import { soupOf } from './soup.ts'

/** Checks what an adapter makes of the generated stream of this seed. Gives the kind of its failure, or `none`. */
export async function expectSound(model: Model, protocol: Protocol, seed: number): Promise<string> {
  const reading = await readFrom(model)
  const { isLegal, texts, args, isCut } = soupOf(protocol, seed, canary)
  const where = `seed ${seed}`
  const failure = failureOf(reading)
  const { chunks } = reading

  expect(failure, where).toMatch(/^(none|protocol|truncated_stream)$/)
  if (isLegal) expect(failure, where).toBe('none')
  expect(JSON.stringify(chunks), where).not.toContain(canary)
  expect(JSON.parse(JSON.stringify(chunks)), where).toEqual(chunks)
  expect(depthOf(chunks), where).toBeLessThan(maxDepth + 10)
  if (failure !== 'none') return failure
  expect(grammarErrors(chunks), where).toEqual([])
  if (!isLegal) return failure
  const clean = (all: readonly string[]) => all.join('').replaceAll(canary, '[secret]')
  expect(deltasOf(chunks, 'text_delta'), where).toBe(clean(texts))
  expect(deltasOf(chunks, 'toolcall_delta'), where).toBe(clean(args))
  const last = chunks.at(-1)
  if (isCut) expect(last, where).not.toMatchObject({ stopReason: 'tool_use' })
  return failure
}

/** The deltas of a type, block by block: the end of one may be held back while the next has begun. */
function deltasOf(chunks: readonly ModelChunk[], type: string): string {
  const blocks: string[] = []
  for (const chunk of chunks) {
    if (!('delta' in chunk) || chunk.type !== type) continue
    blocks[chunk.contentIndex] = (blocks[chunk.contentIndex] ?? '') + chunk.delta
  }
  return blocks.join('')
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
