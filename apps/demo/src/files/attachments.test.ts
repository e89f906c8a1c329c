import { expect, test } from 'vitest'
import { createAttachments } from './attachments.ts'

test('keeps files of the same name apart', async () => {
  const attachments = createAttachments()

  attachments.add([fileOf('a.csv', 'first'), fileOf('a.csv', 'second')])
  attachments.add([fileOf('A.csv', 'third'), fileOf('notes', '1'), fileOf('notes', '2')])

  expect(await contents(attachments.getState())).toEqual([
    ['a.csv', 'first'],
    ['a (2).csv', 'second'],
    ['A (3).csv', 'third'],
    ['notes', '1'],
    ['notes (2)', '2'],
  ])
})

test('gives a name again that was given back', async () => {
  const attachments = createAttachments()

  attachments.add([fileOf('.csv', 'first'), fileOf('.csv', 'second')])
  attachments.remove('.csv')
  attachments.add([fileOf('.csv', 'third')])

  expect(await contents(attachments.getState())).toEqual([
    ['.csv (2)', 'second'],
    ['.csv', 'third'],
  ])
})

function fileOf(name: string, text: string): File {
  return new File([text], name)
}

function contents(files: ReturnType<ReturnType<typeof createAttachments>['getState']>) {
  return Promise.all(files.map(async ({ name, file }) => [name, await file.text()] as const))
}
