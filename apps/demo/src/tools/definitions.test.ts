import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ToolContext } from '@offthread/core/worker'
import { describe, expect, test } from 'vitest'
import { dataTools } from './data-tools.ts'
import { hashFile, loadedTableSchema, loadTable, monteCarlo, sqlQuery } from './definitions.ts'
import executeHash from './hash-file.lazy.ts'
import executeLoad from './load-table.lazy.ts'
import executeMonteCarlo from './monte-carlo.lazy.ts'
import { plot } from './plot/plot-definition.ts'
import executeQuery from './sql-query.lazy.ts'
import { createDataStore, type DataStore } from './tables.ts'
import { createTestContext, modulesOnDisk, PiecewiseFile } from './tools.fixtures.ts'

test('every definition describes each of its fields to the model', () => {
  for (const tool of [loadTable, sqlQuery, monteCarlo, hashFile, plot]) {
    expect(tool.description.length).toBeGreaterThan(60)
    expect(tool.label).not.toBe(tool.name)
    expect(tool.inputJsonSchema['type']).toBe('object')
  }
  expect(loadTable.inputJsonSchema['required']).toEqual(['file'])
})

describe('load_table and sql_query', () => {
  test('from dropped files to a joined answer', async () => {
    const store = createDataStore()
    store.addFile('zone1970.tab', sample('zone1970.tab'))
    store.addFile('iso3166.tab', sample('iso3166.tab'))
    const zones = await load(store, { file: 'zone1970.tab' })
    await load(store, { file: 'iso3166.tab', table: 'Country codes' })
    const sql = `SELECT "name of country, territory, area, or subdivision" AS name, count(*) AS zones
      FROM zone1970 JOIN Country_codes ON codes LIKE '%' || code || '%'
      GROUP BY name ORDER BY zones DESC, name LIMIT 1`

    const answer = await executeQuery(
      { sql },
      createTestContext(await dataTools(store, modulesOnDisk).sqlQuery.resources?.({ sql }))
        .context,
    )

    expect(zones.progress.at(-1)).toMatchObject({ value: 17_597, total: 17_597, unit: 'bytes' })
    expect(answer).toMatchObject({ rows: [['United States', countOf('US')]], rowCount: 1 })
  })

  test('say which files and tables there are', async () => {
    const store = createDataStore()
    const tools = dataTools(store, modulesOnDisk)
    store.addFile('a.csv', new Blob(['x\n1\n']))
    await expect(async () =>
      tools.loadTable.resources?.({ file: 'b.csv', ragged: 'error' }),
    ).rejects.toMatchObject({
      kind: 'not_found',
      message: 'There is no file called "b.csv". Files: a.csv.',
    })
    await load(store, { file: 'a.csv' })
    const sql = 'SELECT * FROM b'
    const resources = await tools.sqlQuery.resources?.({ sql })
    await expect(async () =>
      executeQuery({ sql }, createTestContext(resources).context),
    ).rejects.toMatchObject({
      kind: 'not_found',
      message: 'There is no table called "b". Tables: a (x).',
    })
  })

  test('stop when they are asked to', async () => {
    const bytes = new TextEncoder().encode(`a\n${'12345\n'.repeat(500_000)}`)
    const file = new PiecewiseFile(bytes, 65_536)
    const { context, stop, progress } = createTestContext({ file })
    const onProgress: ToolContext['onProgress'] = (reported) => {
      context.onProgress(reported)
      stop()
    }
    const loading = executeLoad({ file: 'a.csv', ragged: 'error' }, { ...context, onProgress })
    await expect(loading).rejects.toMatchObject({ name: 'AbortError' })
    expect(progress.at(-1)?.value).toBeLessThan(bytes.length)
  })

  async function load(store: DataStore, input: { readonly file: string; readonly table?: string }) {
    const parsed = { ragged: 'error', ...input } as const
    const given = createTestContext(
      await dataTools(store, modulesOnDisk).loadTable.resources?.(parsed),
    )
    const returned = await executeLoad(parsed, given.context)
    const { output, artifacts } = Object(returned) as {
      output: unknown
      artifacts: [{ name: string; data: Blob }]
    }
    const table = loadedTableSchema.parse(output)
    store.addTable({ ...table, image: () => artifacts[0].data })
    return given
  }
})

describe('monte_carlo', () => {
  const options = { people: 23, dice: 2, atLeast: 7, seed: 42 }
  const defaults = { ...options, trials: 300_000, parts: 1, part: 1 }

  test.each([
    ['pi', {}, Math.PI],
    ['birthday', {}, birthdayChance(23)],
    ['birthday', { people: 50 }, birthdayChance(50)],
    ['birthday', { people: 1 }, 0],
    ['dice', {}, 21 / 36],
    ['dice', { dice: 3, atLeast: 15 }, 20 / 216],
    ['dice', { dice: 1, atLeast: 1 }, 1],
  ] as const)('%s with %j comes near the true value', async (experiment, options, truth) => {
    const { estimate, standardError, trials } = await run({ ...defaults, ...options, experiment })
    expect(trials).toBe(300_000)
    expect(standardError).toBeLessThan(0.01)
    expect(Math.abs(estimate - truth)).toBeLessThanOrEqual(5 * standardError)
  })

  test('the error is that of the repeated experiment', async () => {
    const estimates: number[] = []
    let stated = 0
    for (let seed = 0; seed < 200; seed++) {
      const { estimate, standardError } = await run({
        ...defaults,
        seed,
        trials: 2000,
        experiment: 'pi',
      })
      estimates.push(estimate)
      stated = standardError
    }
    const mean = estimates.reduce((sum, value) => sum + value) / estimates.length
    const spread = Math.sqrt(
      estimates.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (estimates.length - 1),
    )
    expect(spread / stated).toBeGreaterThan(0.8)
    expect(spread / stated).toBeLessThan(1.2)
  })

  test('is repeatable by its seed', async () => {
    const input = { ...defaults, trials: 10_001, experiment: 'pi' } as const
    expect(await run(input)).toEqual(await run(input))
    expect(await run({ ...input, seed: 43 })).not.toEqual(await run(input))
  })

  test.each([
    ['pi', 300_000],
    ['birthday', 70_001],
    ['dice', 9],
  ] as const)('parts of %s make together the trials of the whole', async (experiment, trials) => {
    const whole = await run({ ...defaults, experiment, trials })
    for (const parts of [2, 3, 8]) {
      const each: Awaited<ReturnType<typeof run>>[] = []
      for (let part = 1; part <= parts; part++)
        each.push(await run({ ...defaults, experiment, trials, parts, part }).catch(() => none))
      const sum = (field: 'trials' | 'hits') => each.reduce((all, one) => all + one[field], 0)
      expect([sum('trials'), sum('hits')]).toEqual([trials, whole.hits])
    }
  })

  test('parts have nothing in common', async () => {
    const parts = await Promise.all(
      [1, 2, 3, 4].map((part) => run({ ...defaults, experiment: 'pi', parts: 4, part })),
    )
    expect(new Set(parts.map(({ hits, trials }) => hits / trials)).size).toBe(4)
  })

  test.each([
    { parts: 4, part: 5 },
    { parts: 8, part: 8, trials: 3 },
  ])('refuses a part that is none: %j', async (wrong) => {
    await expect(run({ ...defaults, experiment: 'pi', ...wrong })).rejects.toMatchObject({
      kind: 'invalid_args',
    })
  })

  test('reports progress and partial results', async () => {
    const { context, progress, updates } = createTestContext()
    await executeMonteCarlo({ ...defaults, trials: 20_000_000, experiment: 'pi' }, context)
    const values = progress.map(({ value }) => value ?? 0)
    expect(values.length).toBeGreaterThan(1)
    expect(values).toEqual([...values].sort((a, b) => a - b))
    expect(progress.at(-1)).toEqual({ value: 20_000_000, total: 20_000_000, unit: 'trials' })
    expect(updates.at(-1)?.details).toEqual({
      estimate: expect.closeTo(Math.PI, 2),
      low: expect.closeTo(Math.PI, 2),
      high: expect.closeTo(Math.PI, 2),
      trials: 20_000_000,
    })
  })

  test('stops when it is asked to', async () => {
    const { context, stop } = createTestContext()
    setTimeout(stop, 50)
    const running = executeMonteCarlo({ ...defaults, trials: 1e9, experiment: 'pi' }, context)
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
  })

  test.each([
    { trials: 'many' },
    { trials: 0 },
    { trials: 1.5 },
    { trials: 1e10 },
    { people: 0 },
    { experiment: 'x' },
  ])('refuses %j', (wrong) => {
    const input = { experiment: 'pi', ...wrong }
    expect(monteCarlo.inputSchema.safeParse(input).success).toBe(false)
  })

  const none = { experiment: 'dice' as const, estimate: 0, standardError: 0, trials: 0, hits: 0 }

  async function run(input: Parameters<typeof executeMonteCarlo>[0]) {
    return monteCarlo.outputSchema.parse(
      await executeMonteCarlo(input, createTestContext().context),
    )
  }
})

describe('hash_file', () => {
  test.each(['sha256', 'sha1', 'md5'] as const)('%s is that of the platform', async (algorithm) => {
    for (const size of [0, 1, 63, 64, 65, 1000, 300_000]) {
      const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 31) % 251)
      const { context, progress } = createTestContext({ file: new PiecewiseFile(bytes, 4096) })
      const output = await executeHash({ file: 'x.bin', algorithm }, context)
      const hash = createHash(algorithm).update(bytes).digest('hex')
      expect(output).toEqual({ file: 'x.bin', bytes: size, algorithm, hash })
      if (size > 0) expect(progress.at(-1)).toEqual({ value: size, total: size, unit: 'bytes' })
    }
  })
})

function birthdayChance(people: number): number {
  let none = 1
  for (let i = 0; i < people; i++) none *= (365 - i) / 365
  return 1 - none
}

function sample(name: string): Blob {
  return new Blob([readFileSync(new URL(`./fixtures/${name}`, import.meta.url))])
}

function countOf(code: string): number {
  const text = readFileSync(new URL('./fixtures/zone1970.tab', import.meta.url), 'utf8')
  const rows = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return rows.filter((line) => (line.split('\t')[0] ?? '').split(',').includes(code)).length
}
