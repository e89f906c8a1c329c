import { expect, expectLife, readCard, test } from './faulty-page.ts'

interface Row {
  readonly d: string
  readonly how: string
  /** Search parameters of the page. */
  readonly search?: string
  /** The word on the card. */
  readonly status?: 'Done' | 'Failed' | 'Timed out'
  /** What the model reads. */
  readonly reads: string | RegExp
  /** What the opened card says; by default what the model reads. */
  readonly shows?: string | RegExp
  /** What the browser itself writes to the console: nothing of an error whose worker is ended at once. */
  readonly complaint?: RegExp
}

const crashed = (why: string) => `The tool crashed (${why}). It may have had partial effects.`
const unserialisable = (why: string) =>
  `The result of "fault" cannot be used: the result was not serialisable: ${why}.`

const rows: readonly Row[] = [
  { d: 'D2', how: 'throw', reads: 'There is no such row.' },
  { d: 'D2', how: 'throw 10,000 characters', reads: /^x{1,1999}…?$/, shows: /x{1999}/ },
  {
    d: 'D3',
    how: 'throw in a timer',
    reads: crashed('RangeError: Thrown in a timer'),
  },
  {
    d: 'D4',
    how: 'reject unhandled',
    reads: crashed('Nobody waits'),
    complaint: /Nobody waits/,
  },
  { d: 'D5', how: 'close itself', reads: crashed('The code closed its worker') },
  {
    d: 'D6',
    how: 'loop',
    search: 'timeoutMs=300',
    status: 'Timed out',
    reads: 'Timed out after 0.3 s and was stopped. It may have had partial effects.',
    shows: /Timed out after 0\.3 s and was stopped\.[\s\S]*so its worker was terminated\./,
  },
  {
    d: 'D6',
    how: 'loop',
    search: 'maxSilenceMs=2000',
    reads: /^The tool crashed \(The worker gave no sign of life for 2 s\..*partial effects\.$/,
    shows: /The worker gave no sign of life for 2 s\. .*raise maxSilenceMs/,
  },
  {
    d: 'D7',
    how: 'never reply',
    search: 'timeoutMs=200',
    status: 'Timed out',
    reads: 'Timed out after 0.2 s and was stopped. It may have had partial effects.',
    shows: /Timed out after 0\.2 s and was stopped\.[\s\S]*so its worker was terminated\./,
  },
  {
    d: 'D7',
    how: 'wait for the signal',
    search: 'timeoutMs=200',
    status: 'Timed out',
    reads: 'Timed out after 0.2 s and was stopped. It may have had partial effects.',
    shows: /Timed out after 0\.2 s and was stopped\.[\s\S]*The tool stopped by itself\./,
  },
  { d: 'D8', how: 'reply twice', status: 'Done', reads: 'first' },
  { d: 'D9', how: 'forge', status: 'Done', reads: 'honest' },
  {
    d: 'D10',
    how: 'return a function',
    reads: unserialisable('a function at rows[0].format is not JSON'),
  },
  { d: 'D10', how: 'return a symbol', reads: unserialisable('a symbol at id is not JSON') },
  { d: 'D10', how: 'return a WeakMap', reads: /^The result .* was not serialisable: / },
  { d: 'D10', how: 'return a getter that throws', reads: /not serialisable: .*Not today/ },
  { d: 'D10', how: 'post a function', reads: /could not be cloned/ },
  { d: 'D10', how: 'return a proxy', status: 'Done', reads: '{"n":1}', shows: /"n": 1/ },
  { d: 'D11', how: 'return a BigInt', reads: /not serialisable: .* at rows\[0\]\.id/ },
  { d: 'D11', how: 'return a Map', reads: /not serialisable: .* at byName/ },
  { d: 'D11', how: 'return a cycle', reads: /the result was not serialisable: / },
  {
    d: 'D11',
    how: 'return a date and no number',
    status: 'Done',
    reads: '{"date":"1970-01-01T00:00:00.000Z","nan":null}',
    shows: /"date": "1970-01-01T00:00:00\.000Z",\s+"nan": null/,
  },
  {
    d: 'D13',
    how: 'return 50 MB',
    status: 'Done',
    reads: /^x+\n\[… \d+ characters cut …\]\nx+\n\[49\.0 MB of the result were cut out of it\.\]$/,
    shows: /The model read a shortened form[\s\S]*too much to show\.[\s\S]*content\.txt\s+50\.0 MB/,
  },
  { d: 'D14', how: 'flood the library', status: 'Done', reads: 'flooded' },
  {
    d: 'D14',
    how: 'flood past the library',
    reads: crashed('The worker posted more than 1000 messages that the page had not acknowledged'),
  },
  {
    d: 'D14',
    how: 'flood with strange messages',
    reads: crashed('The worker posted more than 1000 messages of its own'),
  },
  {
    d: 'D23',
    how: 'change its input',
    status: 'Done',
    reads: '{"how":"changed","account":{"owner":"Ada"}}',
    // The input as it was given, and not as the code left it.
    shows: /"owner": "Ada"[\s\S]*"how": "change its input"/,
  },
]

for (const { d, how, search = '', status = 'Failed', complaint, ...row } of rows) {
  test(`[${d}] the card of code that is told to: ${how}${search && ` (${search})`}`, async ({
    openFaulty,
    complaints,
  }) => {
    const page = await openFaulty(search)
    const { reads, shows = reads } = row

    await page.callFault(how)

    const card = await readCard(page.cards('fault'))
    expect(card.status).toBe(status)
    if (typeof shows === 'string') expect(card.text).toContain(shows)
    else expect(card.text.replace(/^Error.*\n/, '')).toMatch(shows)
    const [text] = await page.readByModel()
    if (typeof reads === 'string') expect(text).toBe(reads)
    else expect(text).toMatch(reads)
    expect(text?.length).toBeLessThanOrEqual(10_000)
    await expectLife(page, search === '' ? ['/fault {"how":"return"}'] : [])
    // One that is waited for has to come; any other is left for the fixture to refuse.
    if (complaint) expect(complaints.splice(0)).toEqual([expect.stringMatching(complaint)])
  })
}
