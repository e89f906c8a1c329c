import { expect, expectLife, readCard, test, toAddress } from './faulty-page.ts'

const healthy = ['/fault {"how":"return"}']

const loadProblem =
  "The tool could not be started (The worker script could not be loaded: check the connection, its URL (404), MIME type and origin (another than the page's needs crossOriginWorker), type: 'module' for a module, that neither it nor what it imports has a syntax error or an import that fails, the page's CSP worker-src, and that it has the page's Cross-Origin-Embedder-Policy if there is one). It did not run."

for (const { why, search, missing } of [
  { why: 'does not exist', search: '', missing: true },
  { why: 'is a page', search: 'worker=page' },
  { why: 'has a syntax error', search: 'worker=syntax' },
  { why: 'imports what is not there', search: 'worker=import' },
]) {
  test(`the card of a tool whose script ${why}`, async ({ openFaulty, complaints }) => {
    const page = await openFaulty(search)
    if (missing) await page.page.route(/faults\.fixtures\.worker/, (route) => route.abort())

    await page.callFault('return')

    const card = await readCard(page.cards('fault'))
    expect(card.status).toBe('Failed')
    expect(card.text).toContain(loadProblem)
    expect(await page.readByModel()).toEqual([loadProblem])
    if (missing) await page.page.unroute(/faults\.fixtures\.worker/)
    await expectLife(page, missing ? healthy : [])
    expect(complaints.join('\n')).toContain('Offthread cannot use the worker of fault. ')
    complaints.splice(0)
  })
}

test('the card of a call that gets an unreadable message', async ({ used: { faulty: page } }) => {
  const text =
    'The tool crashed (A message of the worker could not be read). It may have had partial effects.'
  const updates = (await page.events('tool_execution_update')).length
  await page.ask('/fault {"how":"never reply"}')
  await expect
    .poll(async () => (await page.events('tool_execution_update')).length)
    .toBeGreaterThan(updates)
  // Chromium refuses no data that a worker posts to its own page, so the test dispatches the event itself.
  await page.page.evaluate(() => window.workers.at(-1)?.dispatchEvent(new Event('messageerror')))
  await page.ended()

  const card = await readCard(page.cards('fault').last())
  expect(card.status).toBe('Failed')
  expect(card.text).toContain(text)
  expect(await page.readByModel()).toEqual([text])
  await expectLife(page, healthy)
})

test('a page with two tools of one name shows that mistake instead of starting', async ({
  page,
  complaints,
}) => {
  await page.goto(toAddress('twice'))

  await expect(page.getByRole('alert')).toHaveText(
    /The page cannot start\.\s+Duplicate tool name: fault/,
  )
  expect(page.workers()).toHaveLength(0)
  expect(complaints.splice(0).join()).toContain('TypeError')
})

for (const name of ['nothing_like_it', 'constructor', '__proto__', 'toString']) {
  test(`the card of a tool that does not exist: ${name}`, async ({ used: { faulty: page } }) => {
    await page.ask(`/${name} {}`)
    await page.ended()

    const card = await readCard(page.cards().last())
    expect(card.status).toBe('Failed')
    const [text] = await page.readByModel()
    expect(text).toMatch(
      new RegExp(`^No tool named "${name}"\\. Available: .*fault.*\\. It did not run\\.$`),
    )
    expect(card.text).toContain(text)
    await expectLife(page, healthy)
  })
}

test('the card of a call whose arguments do not fit', async ({ used: { faulty: page } }) => {
  await page.ask('/fault {"how":7}')
  await page.ended()

  const card = await readCard(page.cards('fault').last())
  expect(card.status).toBe('Failed')
  const [text] = await page.readByModel()
  expect(text).toMatch(/^Invalid arguments: how: .*expected string.* It did not run\.$/)
  expect(card.text).toContain(text)
  await expectLife(page, healthy)
})

test('the same wrong arguments again and again end the run, and the page says why', async ({
  openFaulty,
}) => {
  const page = await openFaulty('stubborn')

  await page.ask('Go.')
  const end = await page.ended()

  expect(end.reason).toBe('loop_detected')
  const statuses = await page.cards('fault').locator('.status-word').allInnerTexts()
  expect(statuses.length).toBeGreaterThan(2)
  expect(new Set(statuses)).toEqual(new Set(['Failed']))
  await expect(page.page.locator('.run-note')).toHaveText(
    `Ended after ${statuses.length} steps: the same call was made again and again.`,
  )
  expect(page.page.workers()).toHaveLength(0)
})

for (const { schema, reads } of [
  {
    schema: 'throws',
    reads:
      'The arguments could not be checked: the schema of "fault" failed (No such rule.). It did not run.',
  },
  {
    schema: 'hangs',
    reads: /^The arguments could not be checked: .*0\.1 s.* It did not run\.$/,
  },
]) {
  test(`the card of a tool whose schema ${schema}`, async ({ openFaulty }) => {
    const page = await openFaulty(`schema=${schema}`)

    await page.callFault('return')

    const card = await readCard(page.cards('fault'))
    expect(card.status).toBe('Failed')
    const [text] = await page.readByModel()
    expect(text).toMatch(reads)
    expect(card.text).toContain(text)
    await expectLife(page, [])
  })
}

test('40 calls in one answer: few run at once, and those beyond the limit say so', async ({
  openFaulty,
}) => {
  const page = await openFaulty('maxConcurrency=4&maxCallsPerTurn=30')
  let most = 0
  page.page.on('worker', () => {
    most = Math.max(most, page.page.workers().length)
  })

  await page.ask(
    Array.from({ length: 40 }, (_, n) => `/fault {"how":"return","n":${n}}`).join('\n'),
  )
  await page.ended()

  const words = await page.cards('fault').locator('.status-word').allInnerTexts()
  expect(words.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 'Done'))
  expect(words.slice(30)).toEqual(Array.from({ length: 10 }, () => 'Failed'))
  const card = await readCard(page.cards('fault').last())
  const texts = await page.readByModel()
  expect(texts).toHaveLength(40)
  expect(new Set(texts.slice(0, 30))).toEqual(new Set(['done']))
  for (const text of texts.slice(30)) expect(text).toMatch(/^Not run: .* reached\.$/)
  expect(card.text).toContain(texts.at(-1))
  // A call that has ended may still be counted while the next one starts.
  expect(most).toBeLessThanOrEqual(8)
  await expectLife(page, healthy)
})

test('one of several calls fails: each card has its own end, in the order of the calls', async ({
  openFaulty,
  complaints,
}) => {
  const page = await openFaulty()
  const hows = ['return', 'throw', 'reject unhandled', 'forge']

  await page.ask(hows.map((how) => `/fault ${JSON.stringify({ how })}`).join('\n'))
  await page.ended()

  const crashed = 'The tool crashed (Not awaited). It may have had partial effects.'
  const texts = ['done', 'There is no such row.', crashed, 'honest']
  expect(await page.readByModel()).toEqual(texts)
  const cards = await page.cards('fault').all()
  const views = await Promise.all(cards.map(readCard))
  expect(views.map(({ status }) => status)).toEqual(['Done', 'Failed', 'Failed', 'Done'])
  for (const [index, { text }] of views.entries()) expect(text).toContain(texts[index])
  await expect(page.page.locator('.group-header')).toHaveText(/^4 tools · 2 done · 2 failed · \d/)
  expect(complaints.splice(0).join()).toContain('Not awaited')
  await expectLife(page, healthy)
})

for (const [value, shown] of [
  [0, '0'],
  [false, 'false'],
  [null, 'null'],
  [[], '[]'],
  ['', 'It returned nothing.'],
] as const) {
  test(`[UI28] the card shows the result ${JSON.stringify(value)}`, async ({
    used: { faulty: page },
  }) => {
    await page.callFault(`return ${JSON.stringify(value)}`)

    const card = page.cards('fault').last()
    expect((await readCard(card)).status).toBe('Done')
    await expect(card.locator('[data-detail="result"]')).toContainText(shown)
  })
}
