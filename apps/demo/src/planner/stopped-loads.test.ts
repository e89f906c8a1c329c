import { expect, test } from 'vitest'
import { startTalk } from './loop.fixtures.ts'

const files = { 'pumps.csv': 'pump,litres\na1,4\nb2,9\n', 'tanks.csv': 'tank,level\nt1,3\n' }

test.for([
  'Cancelled by the user while running. It may have had partial effects.',
  'Interrupted before it started. It did not run.',
  'Not run: the answer was cut off before this call was complete.',
])('loads again what was stopped: %s', async (reason) => {
  const talk = startTalk(files, { failFirst: { load_table: reason } })
  await talk.ask('total litres', ['pumps.csv'])

  const { text, turns } = await talk.ask('total litres')

  expect(turns[0]?.calls).toMatchObject([{ name: 'load_table', input: { file: 'pumps.csv' } }])
  expect(text).toContain('**13**')
})

test('loads a stopped file again although another table is there', async () => {
  const talk = startTalk(files, { failFirst: { 'load_table pumps.csv': 'Cancelled by the user.' } })
  await talk.ask('how many rows', ['tanks.csv'])
  await talk.ask('total litres', ['pumps.csv'])

  expect((await talk.ask('total litres')).text).toContain('**13**')
})

test('does not start a load again by itself within the question in which it was stopped', async () => {
  const talk = startTalk(files, { failFirst: { load_table: 'Cancelled by the user.' } })

  const { turns } = await talk.ask('total litres', ['pumps.csv'])

  expect(turns.flatMap((turn) => turn.calls)).toHaveLength(1)
})
