import { expect, onTestFinished, test } from 'vitest'
import { checkArgs } from '../tools/check-args.ts'
import { readTools } from './tool-list.ts'

const inputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }

test('[MCP1] a tool has the name, title, description and schemas that the server gives it', async () => {
  const { tools, problems } = await readTools(
    [
      {
        name: 'count',
        title: 'Count',
        description: 'Counts.',
        inputSchema,
        outputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      },
      { name: 'bare', inputSchema, annotations: { title: 'From the hints' } },
    ],
    { timeoutMs: 1234 },
  )

  expect(problems).toEqual([])
  const [count, bare] = tools.map(({ tool }) => tool)
  expect(count).toMatchObject({ name: 'count', label: 'Count', description: 'Counts.' })
  expect(count).toMatchObject({ inputJsonSchema: inputSchema, timeoutMs: 1234, place: 'page' })
  expect(count?.outputSchema).toBeDefined()
  expect(bare).toMatchObject({ label: 'From the hints', description: 'From the hints' })
  expect(count && (await checkArgs(count, { n: 'one' }))).toMatchObject({ ok: false })
  expect(count && (await checkArgs(count, { n: 1 }))).toEqual({ ok: true, value: { n: 1 } })
})

test('[MCP1] an entry that is no tool is left out and named, and the others stay', async () => {
  const { tools, problems } = await readTools(
    [
      null,
      { name: '', inputSchema },
      { name: 'no_schema' },
      { name: 'wrong_kind', inputSchema: { type: 'string' } },
      { name: 'nonsense', inputSchema: { type: 'object', properties: 7 } },
      { name: 'elsewhere', inputSchema: { type: 'object', $ref: 'https://evil.example/x' } },
      { name: 'good', inputSchema },
      { name: 'good', inputSchema },
      { name: 'odd_output', inputSchema, outputSchema: { type: 'nothing' } },
    ],
    {},
  )

  expect(tools.map(({ tool }) => tool.name)).toEqual(['good', 'odd_output'])
  expect(tools[1]?.tool.outputSchema).toBeUndefined()
  expect(problems).toEqual([
    'Entry 1 of the list of tools has no name. It was left out.',
    'Entry 2 of the list of tools has no name. It was left out.',
    'The tool "no_schema" was left out. It has no JSON Schema for its input.',
    expect.stringContaining('The tool "wrong_kind" was left out. The JSON Schema of a tool must'),
    expect.stringContaining('The tool "nonsense" was left out. This is no JSON Schema: '),
    expect.stringContaining('The tool "elsewhere" was left out. The JSON Schema has no '),
    'The tool "good" is in the list twice. The second was left out.',
    expect.stringContaining('The outputs of "odd_output" are not checked. This is no JSON Schema'),
  ])
})

test('[MCP22] the model reads patterns, and no value is checked by what may hold the page', async () => {
  const a = { type: 'string', pattern: '^(a+)+$' }
  const schemas = [
    { properties: { a } },
    { properties: { a: { oneOf: [a, { type: 'string', pattern: '^b' }] } } },
    { properties: { a: { not: { pattern: '^(a+)+!$' } } } },
    { properties: { a: { if: { pattern: '^(a+)+$' }, else: false } } },
    { patternProperties: { '^(a+)+$': { type: 'string' } }, additionalProperties: false },
    { allOf: [{ patternProperties: { '^a': {} } }], unevaluatedProperties: false },
  ].map((schema) => ({ type: 'object', ...schema }))
  const { tools, problems } = await readTools(
    schemas.map((one, n) => ({ name: `t${n}`, inputSchema: one, outputSchema: one })),
    {},
  )

  expect(problems).toEqual([])
  for (const [n, { tool }] of tools.entries()) {
    expect(tool.inputJsonSchema).toEqual(schemas[n])
    const value = { a: `${'a'.repeat(60)}!` }
    expect(await checkArgs(tool, value), `t${n}`).toEqual({ ok: true, value })
  }
  const [{ tool } = {}] = tools
  expect(tool && (await checkArgs(tool, { a: 1 }))).toMatchObject({ ok: false })
})

test('[MCP22] what else a schema with a pattern says is checked', async () => {
  const number = { type: 'number' }
  const schema = {
    type: 'object',
    properties: { id: { type: 'string', pattern: '^x' }, n: { oneOf: [number, { type: 'null' }] } },
    required: ['id'],
    additionalProperties: false,
  }
  const { tools } = await readTools([{ name: 'a', inputSchema: schema }], {})
  const fits = (input: object) => tools[0] && checkArgs(tools[0].tool, input)

  expect(await fits({ id: 'y', n: null })).toMatchObject({ ok: true })
  for (const bad of [{ n: 1 }, { id: 1 }, { id: 'x', n: 'one' }, { id: 'x', m: 1 }])
    expect(await fits(bad), JSON.stringify(bad)).toMatchObject({ ok: false })
})

test('[MCP2] names become legal, and one that is taken gets the prefix', async () => {
  const names = new Map<string, string>()
  const list = async (...remote: readonly string[]) => {
    const entries = remote.map((name) => ({ name, inputSchema }))
    const { tools } = await readTools(entries, { names, prefix: 'files', taken: ['search'] })
    return tools.map(({ tool }) => tool.name)
  }
  const long = 'x'.repeat(128)

  expect(await list('a/b.c', 'a_b.c', 'search', long, `${long}y`)).toEqual([
    'a_b_c',
    'files_a_b_c',
    'files_search',
    'x'.repeat(64),
    `files_${'x'.repeat(58)}`,
  ])
  // In another order, and with a new one that comes first.
  expect(await list('a_b_c', 'a_b.c', 'a/b.c')).toEqual(['files_a_b_c_2', 'files_a_b_c', 'a_b_c'])
})

test('[MCP2] thousands of tools that want one name get one each', async () => {
  const entries = Array.from({ length: 4000 }, (_, n) => ({
    name: `${'x'.repeat(70)}${n}`,
    inputSchema: { type: 'object' },
  }))
  const { tools, problems } = await readTools(entries, { prefix: 'p'.repeat(8_000_000) })

  expect(problems).toEqual([])
  expect(new Set(tools.map(({ tool }) => tool.name)).size).toBe(4000)
  for (const { tool } of tools) expect(tool.name).toMatch(/^[\w-]{1,64}$/)
})

test('[MCP22] a schema that takes long to read is left out', async () => {
  const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`p${n}`, {}]))
  const { problems } = await readTools(
    [
      { name: 'wide', inputSchema: { type: 'object', properties } },
      { name: 'long', inputSchema: { type: 'object', description: 'x'.repeat(200_000) } },
    ],
    {},
  )

  const why = 'Its JSON Schema has more than 200000 characters or 5000 values.'
  expect(problems).toEqual([
    `The tool "wide" was left out. ${why}`,
    `The tool "long" was left out. ${why}`,
  ])
})

test('[MCP21] the page has its turn while a long list is read', async () => {
  const entries = Array.from({ length: 3000 }, (_, n) => ({ name: `t${n}`, inputSchema }))
  let turns = 0
  const watch = setInterval(() => (turns += 1), 0)
  onTestFinished(() => clearInterval(watch))

  await readTools(entries, {})

  expect(turns).toBeGreaterThan(3)
})

test('[MCP1] what is said of an entry is short, whatever the entry holds', async () => {
  const { problems } = await readTools(
    [
      { name: 'a'.repeat(1_000_000), inputSchema: { type: 'object', $ref: '#/b'.repeat(100_000) } },
      { name: 'b', inputSchema, outputSchema: { type: 'c'.repeat(1_000_000) } },
    ],
    {},
  )

  expect(problems).toHaveLength(2)
  for (const problem of problems) expect(problem.length).toBeLessThan(800)
})

test.for([
  [{}, true],
  [{ readOnlyHint: true }, true],
  [{ readOnlyHint: true, destructiveHint: true, openWorldHint: false }, false],
  [{ destructiveHint: false, openWorldHint: false }, false],
  [{ destructiveHint: false }, true],
  [{ openWorldHint: false }, true],
  [{ readOnlyHint: 'yes', openWorldHint: false }, true],
] as const)(
  '[MCP3] what may destroy something or reach beyond the server needs approval: %j',
  async ([annotations, needsApproval]) => {
    const { tools } = await readTools([{ name: 'a', inputSchema, annotations }], {})

    expect(tools[0]?.tool.needsApproval).toBe(needsApproval)
  },
)

test('[MCP3] an app decides otherwise, for all tools or by the hints', async () => {
  const entries = [
    { name: 'read', title: 'Read', inputSchema, annotations: { readOnlyHint: true } },
    { name: 'write', inputSchema },
  ]
  const approvals = async (needsApproval: Parameters<typeof readTools>[1]['needsApproval'] & {}) =>
    (await readTools(entries, { needsApproval })).tools.map(({ tool }) => tool.needsApproval)

  expect(await approvals(true)).toEqual([true, true])
  expect(await approvals(false)).toEqual([false, false])
  expect(await approvals(({ hints }) => !hints.readOnly)).toEqual([false, true])
  expect(await approvals(({ name, title }) => name === 'read' && title === 'Read')).toEqual([
    true,
    false,
  ])
  expect(await approvals((() => undefined) as never)).toEqual([true, true])
  const [read, write] = (await readTools(entries, {})).tools
  expect([read?.tool.effects, write?.tool.effects]).toEqual(['reads', 'writes'])
})
