import { expect, expectLife, type FaultyPage, readCard, test } from './faulty-page.ts'

interface Row {
  readonly how: string
  /** Search parameters of the page. */
  readonly search?: string
  /** The status on the card. */
  readonly status?: 'Done' | 'Failed' | 'Timed out'
  /** What the model reads. */
  readonly reads: string | RegExp
  /** The text of the opened card; by default what the model reads. */
  readonly shows?: string | RegExp
  /** What the browser itself writes to the console. Absent where a worker is ended before it can report an error. */
  readonly complaint?: RegExp
}

const crashed = (why: string) => `The tool crashed (${why}). It may have had partial effects.`
const unserialisable = (why: string) =>
  `The result of "fault" cannot be used: the result was not serialisable: ${why}.`

const rows: readonly Row[] = [
  { how: 'throw', reads: 'There is no such row.' },
  { how: 'throw 10,000 characters', reads: /^x{10000}$/, shows: /x{8000}/ },
  {
    how: 'throw in a timer',
    reads: crashed('RangeError: Thrown in a timer'),
  },
  {
    how: 'reject unhandled',
    reads: crashed('Not awaited'),
    complaint: /Not awaited/,
  },
  { how: 'close itself', reads: crashed('The code closed its worker') },
  {
    how: 'loop',
    search: 'timeoutMs=300',
    status: 'Timed out',
    reads: 'Timed out after 0.3 s and was stopped. It may have had partial effects.',
    shows: /Timed out after 0\.3 s and was stopped\.[\s\S]*so its worker was terminated\./,
  },
  {
    how: 'loop',
    search: 'maxSilenceMs=2000',
    reads: /^The tool crashed \(The worker gave no sign of life for 2 s\..*partial effects\.$/,
    shows: /The worker gave no sign of life for 2 s\. .*raise maxSilenceMs/,
  },
  {
    how: 'never reply',
    search: 'timeoutMs=200',
    status: 'Timed out',
    reads: 'Timed out after 0.2 s and was stopped. It may have had partial effects.',
    shows: /Timed out after 0\.2 s and was stopped\.[\s\S]*so its worker was terminated\./,
  },
  {
    how: 'wait for the signal',
    search: 'timeoutMs=200',
    status: 'Timed out',
    reads: 'Timed out after 0.2 s and was stopped. It may have had partial effects.',
    shows: /Timed out after 0\.2 s and was stopped\.[\s\S]*The tool stopped by itself\./,
  },
  { how: 'reply twice', status: 'Done', reads: 'first' },
  { how: 'forge', status: 'Done', reads: 'honest' },
  {
    how: 'return a function',
    reads: unserialisable('a function at rows[0].format is not JSON'),
  },
  { how: 'return a symbol', reads: unserialisable('a symbol at id is not JSON') },
  { how: 'return a WeakMap', reads: /^The result .* was not serialisable: / },
  { how: 'return a getter that throws', reads: /cannot be used: Not today/ },
  { how: 'post a function', reads: /could not be cloned/ },
  { how: 'return a proxy', status: 'Done', reads: '{"n":1}', shows: /"n": 1/ },
  { how: 'return a BigInt', reads: /not serialisable: .* at rows\[0\]\.id/ },
  { how: 'return a Map', reads: /not serialisable: .* at byName/ },
  { how: 'return a cycle', reads: /the result was not serialisable: / },
  {
    how: 'return a date and no number',
    status: 'Done',
    reads: '{"date":"1970-01-01T00:00:00.000Z","nan":null}',
    shows: /"date": "1970-01-01T00:00:00\.000Z",\s+"nan": null/,
  },
  {
    how: 'return 50 MB',
    status: 'Done',
    reads: /^x+\n\[… \d+ characters cut …\]\nx+\n\[49\.0 MB of the result were cut out of it\.\]$/,
    shows: /The model read a shortened form[\s\S]*Show more[\s\S]*content\.txt\s+50\.0 MB/,
  },
  { how: 'flood the library', status: 'Done', reads: 'flooded' },
  {
    how: 'flood past the library',
    reads: crashed(
      'The worker posted more than the page can take: 2000 messages at once, or fewer big ones',
    ),
  },
  {
    how: 'flood with strange messages',
    reads: crashed(
      'The worker posted more than the page can take: 2000 messages at once, or fewer big ones',
    ),
  },
  {
    how: 'change its input',
    status: 'Done',
    reads: '{"how":"changed","account":{"owner":"Ada"}}',
    // The input as it was given, not as the code changed it.
    shows: /"owner": "Ada"[\s\S]*"how": "change its input"/,
  },
]

for (const row of rows.filter(({ search }) => search === undefined)) {
  test(`the card of a call whose code has to ${row.how}`, async ({ used }) => {
    const { faulty, complaints } = used
    await expectReport(faulty, row)
    await expectLife(faulty, ['/fault {"how":"return"}'])
    // An expected complaint has to come; any other fails the test in the fixture.
    const expected = row.complaint ? [expect.stringMatching(row.complaint)] : []
    expect(complaints.splice(0)).toEqual(expected)
  })
}

for (const row of rows.filter(({ search }) => search !== undefined)) {
  test(`the card of a call whose code has to ${row.how} (${row.search})`, async ({
    openFaulty,
  }) => {
    const page = await openFaulty(row.search)
    await expectReport(page, row)
    await expectLife(page, [])
  })
}

/** Calls the tool with the fault. The card and the model get what the row says. */
async function expectReport(page: FaultyPage, row: Row): Promise<void> {
  const { how, status = 'Failed', reads, shows = reads } = row

  await page.callFault(how)

  const card = await readCard(page.cards('fault').last())
  expect(card.status).toBe(status)
  if (typeof shows === 'string') expect(card.text).toContain(shows)
  else expect(card.text.replace(/^Error.*\n/, '')).toMatch(shows)
  const [text] = await page.readByModel()
  if (typeof reads === 'string') expect(text).toBe(reads)
  else expect(text).toMatch(reads)
  expect(text?.length).toBeLessThanOrEqual(10_000)
}
