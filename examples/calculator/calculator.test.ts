import { textOf } from '@offthread/core'
import { call, type ScriptedModel, say, scriptedModel } from '@offthread/core/testing'
import { expect, test } from 'vitest'
import { askAutomatically } from './src/automatic.ts'
import { askManually } from './src/manual.ts'

const question = 'How much is 25 + 17, and 42 more?'

const script = () =>
  scriptedModel(
    [call('add', { a: 25, b: 17 }), call('add', { a: 'forty-two' })],
    [call('add', { a: 42, b: 42 })],
    [say('42, then 84.')],
  )

test('[S004-12] [I32] the examples of both modes run, and ask the model the same', async () => {
  const [automatic, manual] = [script(), script()]

  expect(await askAutomatically(automatic, question)).toBe('42, then 84.')
  expect(await askManually(manual, question)).toBe('42, then 84.')

  expect(rolesIn(manual)).toEqual(rolesIn(automatic))
  const refused = expect.stringContaining('expected number')
  for (const model of [automatic, manual]) {
    expect(resultsIn(model)).toEqual([
      ['{"sum":42}', refused],
      ['{"sum":42}', refused, '{"sum":84}'],
    ])
  }
})

function rolesIn({ requests }: ScriptedModel) {
  return requests.map(({ messages }) => messages.map(({ role }) => role))
}

/** The results that each request shows the model, but those of the first, which has none. */
function resultsIn({ requests }: ScriptedModel) {
  return requests
    .slice(1)
    .map(({ messages }) =>
      messages.filter(({ role }) => role === 'toolResult').map(({ content }) => textOf(content)),
    )
}
