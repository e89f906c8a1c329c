import type { Tool, ToolHost } from '@offthread/core'
import { expect, test, vi } from 'vitest'
import { loadedTableSchema, loadTable, sqlQuery } from './definitions.ts'
import { devCrash, devFlood, devHuge, devSpin } from './dev-definitions.ts'
import { hostTools } from './host-tools.ts'
import { plot, plotSchema } from './plot/plot-definition.ts'
import { createDataStore } from './tables.ts'

const store = createDataStore()
const hosts = hostTools({ dev: true, store })

test('50 MB of CSV become a table in a worker, and answers queries in others', async () => {
  const compile = vi.spyOn(WebAssembly, 'compileStreaming')
  const { file, rows, units } = largeCsv(50_000_000)
  store.addFile('large.csv', file)

  const load = await call(loadTable, { file: 'large.csv' })

  const result = resultOf(load.settlement)
  const table = loadedTableSchema.parse(result.structuredContent)
  expect(table).toMatchObject({ table: 'large', rows, bytes: file.size, notes: [] })
  expect(table.columns.map(({ type }) => type)).toEqual([
    'integer',
    'text',
    'text',
    'text',
    'integer',
    'real',
    'text',
  ])
  const values = load.progress.map(({ value }) => value ?? 0)
  expect(values.length).toBeGreaterThan(2)
  expect(values).toEqual([...values].sort((a, b) => a - b))
  expect(load.progress.at(-1)).toMatchObject({ value: file.size, total: file.size, unit: 'bytes' })

  const image = result.artifacts?.[0]?.data
  store.addTable({ ...table, image: () => new Blob(image === undefined ? [] : [image]) })
  const sql = 'SELECT region, count(*), sum(units) FROM large GROUP BY region ORDER BY region'
  const answers = await Promise.all([call(sqlQuery, { sql }), call(sqlQuery, { sql })])
  for (const { settlement } of answers) {
    const { structuredContent } = resultOf(settlement)
    expect(structuredContent).toMatchObject({ rows: units, rowCount: 4 })
  }
  expect(compile).toHaveBeenCalledTimes(1)
}, 60_000)

test('a plot is laid out on the page', async () => {
  const input = { kind: 'bar', title: 'T', labels: ['a', 'b'], values: [1, 2] }
  const { settlement } = await call(plot, input)
  const { structuredContent, content } = resultOf(settlement)
  expect(plotSchema.parse(structuredContent).marks).toHaveLength(2)
  expect(content).toEqual([
    { type: 'text', text: '{"kind":"bar","title":"T","points":2,"width":640,"height":360}' },
  ])
})

test('the tools that misbehave do so', async () => {
  expect((await call(devCrash, {})).settlement).toMatchObject({
    kind: 'crashed',
    message: expect.stringContaining('made to crash'),
  })
  expect((await call(devSpin, {}, { stopAfterMs: 100 })).settlement).toEqual({
    kind: 'stopped',
    how: 'terminated',
  })
  const flooded = resultOf((await call(devFlood, { seconds: 0.2 })).settlement)
  expect(devFlood.outputSchema.parse(flooded.structuredContent).sent).toBeGreaterThan(1000)
  expect((await call(devHuge, { megabytes: 2 })).settlement).toMatchObject({ kind: 'returned' })
})

interface CallOptions {
  readonly stopAfterMs?: number
}

async function call(
  { name }: Tool,
  input: Readonly<Record<string, string | number | readonly (string | number)[]>>,
  options: CallOptions = {},
) {
  const [host, tool] = hosted(name)
  const execution = host.open(tool, { graceMs: 200 })
  const progress: { value?: number; total?: number; unit?: string }[] = []
  const resources = (await tool.resources?.(input)) ?? {}
  const request = {
    executionId: crypto.randomUUID(),
    toolCallId: 'call',
    toolName: tool.name,
    attempt: 1,
    input,
    resources,
  }
  const settlement = await execution.run(request, (notice) => {
    if (notice.type === 'progress') progress.push(notice.progress)
    if (notice.type !== 'running' || options.stopAfterMs === undefined) return
    setTimeout(execution.stop, options.stopAfterMs)
  })
  execution.close()
  return { settlement, progress }
}

function hosted(name: string): readonly [ToolHost, Tool] {
  for (const host of hosts) {
    const tool = host.tools.find((each) => each.name === name)
    if (tool) return [host, tool]
  }
  throw new Error(`No host runs ${name}.`)
}

function resultOf(settlement: Awaited<ReturnType<typeof call>>['settlement']) {
  if (settlement.kind !== 'returned') throw new Error(JSON.stringify(settlement))
  return settlement.result
}

/** A table of at least that size, and what is in it. */
function largeCsv(size: number) {
  const regions = ['East', 'North', 'South', 'West'] as const
  const units = regions.map((region) => [region, 0, 0] as [string, number, number])
  const parts = ['id,date,region,product,units,price,code\r\n']
  const blobs: Blob[] = []
  let bytes = 0
  let rows = 0
  while (bytes < size) {
    const region = (rows * 7) % 4
    const count = (rows * 31) % 97
    const of = units[region]
    if (of) {
      of[1]++
      of[2] += count
    }
    const line = `${rows},2024-0${1 + (rows % 9)}-1${rows % 10},${regions[region]},"Product ""${rows % 500}"", large",${count},${(rows % 10_007) / 8},0${rows % 1000}\r\n`
    parts.push(line)
    bytes += line.length
    rows++
    if (parts.length > 50_000) blobs.push(new Blob(parts.splice(0)))
  }
  return { file: new File([...blobs, new Blob(parts)], 'large.csv'), rows, units }
}
