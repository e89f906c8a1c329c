import { array, assert, asyncProperty, constantFrom, oneof, string, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { providers } from './providers.mjs'
import { ask, limits, messageOf, startBoth } from './servers.fixtures.mjs'

const names = oneof(
  constantFrom(...providers.anthropic.fields, ...providers.openai.fields),
  constantFrom('max_tokens', 'max_completion_tokens', 'n', 'best_of', 'models', '__proto__'),
  string(),
)
const values = oneof(
  constantFrom('"claude-test"', '"gpt-test"', '5', '5000', '0', '1e400', '1.5', 'null', '[', '{}'),
  tuple(
    constantFrom('levels', 'items', 'fields', 'text'),
    constantFrom(0, 3, 999, 1001, 60_000, 400_000),
  ),
)
const bodies = array(tuple(names, values), { maxLength: 6 })

test('[SEC-K7] any body goes out with named fields and within the limits, or is refused', async () => {
  const { proxy, seen } = await startBoth(undefined, {
    limits: { ...limits, maxBodyBytes: 3_000_000 },
  })
  const outcomes = new Set()
  await assert(
    asyncProperty(constantFrom('anthropic', 'openai'), bodies, async (name, fields) => {
      const { path, fields: known, tokenFields } = providers[name]
      const start = { name: 'model', value: name === 'openai' ? '"gpt-test"' : '"claude-test"' }
      const members = fields.map(([name, value]) => ({ name, value: written(value) }))
      const body = [start, ...members].map(({ name, value }) => `${JSON.stringify(name)}:${value}`)
      seen.length = 0

      const response = await ask(proxy, { path, body: `{${body.join(',')}}` })

      outcomes.add(response.status)
      expect([200, 400, 403, 413]).toContain(response.status)
      expect(seen).toHaveLength(response.status === 200 ? 1 : 0)
      if (response.status !== 200) {
        expect(await messageOf(response)).toMatch(/^[^"]*("\w+")?[^"]*\.$/)
        return
      }
      /** @type {Record<string, unknown>} */
      const sent = JSON.parse(seen[0]?.text ?? '')
      expect([...known, ...tokenFields]).toEqual(expect.arrayContaining(Object.keys(sent)))
      expect(limits.models).toContain(sent['model'])
      const counts = tokenFields.flatMap((field) => sent[field] ?? [])
      expect(counts.length).toBeGreaterThan(0)
      for (const count of counts) expect(count).toBeLessThanOrEqual(limits.maxTokens)
    }),
    { numRuns: 150 },
  )
  expect(outcomes).toEqual(new Set([200, 400, 403, 413]))
})

/** JSON, or nearly. @param {string | [string, number]} value */
function written(value) {
  if (typeof value === 'string') return value
  const [kind, size] = value
  switch (kind) {
    case 'levels':
      return '['.repeat(size) + ']'.repeat(size)
    case 'items':
      return `[${'{},'.repeat(size)}1]`
    case 'fields':
      return `{${Array.from({ length: size }, (_, n) => `"field${n}":1`).join(',')}}`
    default:
      return JSON.stringify('{[,\\"x'.repeat(size))
  }
}
