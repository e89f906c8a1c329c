import type { Tool, ToolHost } from '@offthread/core'
import { expect, test, vi } from 'vitest'
import { compressFile, loadedTableSchema, loadTable, sqlQuery } from './definitions.ts'
import { devCrash, devFlood, devHuge, devSpin } from './dev-definitions.ts'
import { renderFractal } from './fractal/render-fractal-definition.ts'
import { hostTools } from './host-tools.ts'
import { editImage } from './images/edit-image-definition.ts'
import { plot, plotSchema } from './plot/plot-definition.ts'
import { runJs } from './run-js/run-js-definition.ts'
import { searchDocs } from './search-docs/search-docs-definition.ts'
import { createDataStore } from './tables.ts'

const store = createDataStore()
const hosts = hostTools({ dev: true, store })

test('10 MB of CSV become a table in a worker, and answers queries in others', async () => {
  const compile = vi.spyOn(WebAssembly, 'compileStreaming')
  const { file, rows, units } = largeCsv(10_000_000)
  store.addFile('large.csv', file)

  const load = await call(loadTable, { file: 'large.csv' })

  const result = resultOf(load.settlement)
  const table = loadedTableSchema.parse(result.structuredContent)
  expect(table).toMatchObject({ table: 'large', rows, bytes: file.size, notes: [] })
  expect(table.columns.map(({ type }) => type)).toEqual([
    'integer',
    'date',
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
})

test('a plot is laid out on the page', async () => {
  const input = { kind: 'bar', title: 'T', labels: ['a', 'b'], values: [1, 2] }
  const { settlement } = await call(plot, input)
  const { structuredContent, content } = resultOf(settlement)
  expect(plotSchema.parse(structuredContent).marks).toHaveLength(2)
  expect(content).toEqual([
    { type: 'text', text: '{"kind":"bar","title":"T","points":2,"width":640,"height":360}' },
  ])
})

test('code runs in an interpreter, and an endless loop is interrupted', async () => {
  const { settlement, logs } = await call(runJs, { code: 'console.log("six"); 6 * 7' })
  expect(resultOf(settlement).structuredContent).toEqual({ value: '42', type: 'number' })
  expect(logs).toEqual(['six'])

  const endless = await call(runJs, { code: 'for (;;) {}', seconds: 0.3 })
  expect(endless.settlement).toMatchObject({
    kind: 'threw',
    message: expect.stringContaining('interrupted: it ran longer than 0.3 s'),
  })
})

test('the tiles of a picture are drawn', async () => {
  const tile = { column: 1, row: 0, columns: 2, rows: 1, iterations: 100 }
  const { settlement, progress } = await call(renderFractal, tile)
  const { structuredContent, artifacts } = resultOf(settlement)
  expect(structuredContent).toMatchObject({ width: 256, height: 256 })
  expect(await sizeOf(artifacts?.[0]?.data)).toEqual([256, 256])
  expect(progress.at(-1)).toMatchObject({ value: 256, total: 256 })
})

test('an image is cut, turned, made gray, and written in another format', async () => {
  store.addFile('half.png', await imageOf(40, 20))
  const edit = { file: 'half.png', width: 20, rotate: 90, grayscale: true, format: 'webp' }
  const { structuredContent, artifacts } = resultOf((await call(editImage, edit)).settlement)
  expect(structuredContent).toMatchObject({ name: 'half-edited.webp', width: 10, height: 20 })
  const [red, green, blue] = await pixelOf(artifacts?.[0]?.data, 5, 2)
  expect([green, blue]).toEqual([red, red])
  expect(red).toBeLessThan(120)
  // Turned clockwise, what was on the right is below.
  expect((await pixelOf(artifacts?.[0]?.data, 5, 18))[0]).toBeGreaterThan(200)

  const { settlement } = await call(editImage, { file: 'large.csv' })
  expect(settlement).toMatchObject({
    kind: 'threw',
    message: expect.stringContaining('large.csv cannot be read as an image'),
  })
})

test('a compressed file is the same file once it is read again, and its size is said', async () => {
  const { file } = largeCsv(2_000_000)
  store.addFile('two.csv', file)
  const { settlement, progress } = await call(compressFile, { file: 'two.csv' })
  const { structuredContent, artifacts } = resultOf(settlement)
  const data = blobOf(artifacts?.[0]?.data)
  expect(structuredContent).toMatchObject({ name: 'two.csv.gz', compressedBytes: data.size })
  const whole = await new Response(
    data.stream().pipeThrough(new DecompressionStream('gzip')),
  ).arrayBuffer()
  expect(whole.byteLength).toBe(file.size)
  expect(progress.at(-1)).toMatchObject({ value: file.size, total: file.size, unit: 'bytes' })
})

test('the documentation is searched in a worker', async () => {
  const { settlement } = await call(searchDocs, { query: 'retry a failed call' })
  const { hits } = searchDocs.outputSchema.parse(resultOf(settlement).structuredContent)
  expect(hits).toHaveLength(5)
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
  input: Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>,
  options: CallOptions = {},
) {
  const [host, tool] = hosted(name)
  const execution = host.open(tool, { graceMs: 200 })
  const progress: { value?: number; total?: number; unit?: string }[] = []
  const logs: string[] = []
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
    if (notice.type === 'log') logs.push(...notice.lines.map(({ text }) => text))
    if (notice.type !== 'running' || options.stopAfterMs === undefined) return
    setTimeout(execution.stop, options.stopAfterMs)
  })
  execution.close()
  return { settlement, progress, logs }
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

/** Red on the left, white on the right. */
async function imageOf(width: number, height: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height)
  const drawing = canvas.getContext('2d')
  if (drawing) drawing.fillStyle = 'red'
  drawing?.fillRect(0, 0, width / 2, height)
  if (drawing) drawing.fillStyle = 'white'
  drawing?.fillRect(width / 2, 0, width / 2, height)
  return canvas.convertToBlob()
}

function blobOf(data: unknown): Blob {
  if (data instanceof Blob) return data
  throw new Error('There is no file.')
}

async function sizeOf(data: unknown): Promise<readonly number[]> {
  const { width, height } = await createImageBitmap(blobOf(data))
  return [width, height]
}

async function pixelOf(data: unknown, x: number, y: number): Promise<readonly number[]> {
  const image = await createImageBitmap(blobOf(data))
  const drawing = new OffscreenCanvas(image.width, image.height).getContext('2d')
  drawing?.drawImage(image, 0, 0)
  return [...(drawing?.getImageData(x, y, 1, 1).data.slice(0, 3) ?? [])]
}
