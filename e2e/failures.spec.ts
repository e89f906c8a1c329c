import { expect, expectRest, test } from './chat.ts'

test('[I15] [UI4] a crash is a failed card with a reason, and the run continues', async ({
  chat,
}) => {
  await chat.ask('/dev_crash {}\n/dev_sleep {"ms":100}')
  const end = await chat.ended()

  expect(end.reason).toBe('stop')
  await expect(chat.cards('dev_crash')).toHaveAttribute('data-status', 'failed')
  await expect(chat.cards('dev_crash')).toContainText('The tool crashed (')
  const ends = await chat.events('tool_execution_end')
  expect(ends.map(({ errorKind }) => errorKind)).toContain('crashed')
  await expect(chat.cards('dev_sleep')).toHaveAttribute('data-status', 'succeeded')
  await expect(chat.answer).toContainText(/crashed/i)
  await expectRest(chat)
})

test('a worker script that cannot load is a failed card that says what to check', async ({
  chat,
  complaints,
}) => {
  await chat.page.route(/dev\.worker/, (route) => route.fulfill({ status: 404, body: '' }))

  await chat.ask('/dev_sleep {"ms":1}')
  const end = await chat.ended()

  expect(end.reason).toBe('stop')
  await expect(chat.cards()).toHaveAttribute('data-status', 'failed')
  await expect(chat.cards()).toContainText('could not be loaded')
  const [toolEnd] = await chat.events('tool_execution_end')
  expect(toolEnd).toMatchObject({ errorKind: 'crashed', mayHaveRun: false })
  complaints.splice(0)

  await chat.page.unroute(/dev\.worker/)
  await chat.ask('/dev_sleep {"ms":1}')
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
  await expect(chat.cards().last()).toHaveAttribute('data-status', 'succeeded')
  await expectRest(chat)
})

test('an unknown tool is answered, and the conversation continues', async ({ chat }) => {
  await chat.ask('/constructor {}')
  const end = await chat.ended()

  expect(end.reason).toBe('stop')
  await expect(chat.cards()).toContainText('No tool named "constructor"')
  await expectRest(chat)
})

const badInputs = [
  { what: 'an empty file', name: 'empty.csv', content: '', ask: 'How many rows?', says: /empty/i },
  {
    what: 'a file that is no text',
    name: 'photo.csv',
    content: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 0xff, 0xfe]),
    ask: 'How many rows?',
    says: /text|UTF-8|binary/i,
  },
  {
    what: 'a CSV with ragged rows',
    name: 'ragged.csv',
    content: 'a,b,c\n1,2,3\n4,5\n',
    ask: 'How many rows?',
    says: /line 3/i,
  },
  {
    what: 'a JSON file that is not JSON',
    name: 'bad.json',
    content: '{bad',
    ask: 'How many rows?',
    says: /not JSON: "b" stands in line 1, column 2/,
  },
  {
    what: 'SQL that is not a SELECT',
    name: 'good.csv',
    content: 'a,b\n1,2\n',
    ask: '/sql DELETE FROM good',
    says: /SELECT/,
  },
  {
    what: 'a number that is none',
    name: 'good.csv',
    content: 'a,b\n1,2\n',
    ask: '/monte_carlo {"experiment":"pi","trials":"banana"}',
    says: /Invalid arguments: trials/,
  },
]

for (const { what, name, content, ask, says } of badInputs) {
  test(`${what} is a card with a clear error, and the conversation continues`, async ({ chat }) => {
    await chat.drop(name, content)

    await chat.ask(ask)
    const end = await chat.ended()

    expect(end.reason).toBe('stop')
    const failed = chat.page.locator('[data-tool][data-status="failed"]').first()
    await expect(failed).toContainText(says)
    const received = (await chat.events('tools_end')).flatMap(({ toolMessages }) => toolMessages)
    expect(received.filter(({ isError }) => isError)).not.toHaveLength(0)
    await expectRest(chat)

    await chat.ask('/dev_sleep {"ms":1}')
    expect(await chat.ended()).toMatchObject({ reason: 'stop' })
    await expect(chat.cards().last()).toHaveAttribute('data-status', 'succeeded')
  })
}
