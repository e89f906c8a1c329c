import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Expected, holds } from './judge.fixtures.ts'
import { type Said, startTalk } from './talk.fixtures.ts'

/** A question that was collected before the grammar was written, by who did not know it. */
interface Judged {
  readonly table: string
  readonly sentence: string
  /** What a right answer holds, in one form or another. None where every answer is wrong. */
  readonly right: readonly Expected[]
  /** What a question that is offered instead should lead to, if not to that. */
  readonly near: readonly Expected[]
  /** Other offers are as good. */
  readonly open?: boolean
}

const read = (name: string): string =>
  readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')
const lines = read('judged.ndjson').trim().split('\n')
const judged: readonly Judged[] = JSON.parse(`[${lines.join(',')}]`)
let answered = 0

test.for(judged)('$sentence', async ({ table, sentence, right, near, open }) => {
  const talk = startTalk()
  const said = await talk.ask(sentence, { [table]: read(table) })
  if (said.buttons.length === 0) {
    answered += 1
    expect(right.some((one) => holds(said, one))).toBe(true)
    return
  }
  expect(said.text).not.toContain('I read this as')
  const answers: Said[] = []
  for (const button of said.buttons) answers.push(await talk.ask(button))
  for (const { text } of answers) expect(text).toContain('I read this as')
  const isRight = answers.some((answer) => [...right, ...near].some((one) => holds(answer, one)))
  expect(isRight || open === true).toBe(true)
})

test('answers most of them at once', () => {
  expect(judged).toHaveLength(60)
  expect(answered).toBeGreaterThan(30)
})
