import { expect, test } from 'vitest'
import { turns } from './turns.ts'

const frame = (): Promise<unknown> => new Promise(requestAnimationFrame)

test('calls no text back while one of the frame before is not drawn', async () => {
  const called: string[] = []
  const join = (name: string): (() => void) =>
    turns.wait(turns.join(), { callback: () => called.push(name), chars: 6000 })
  const ends = ['first', 'second', 'newest'].map(join)

  for (const expected of [['newest'], ['newest', 'first'], ['newest', 'first', 'second']]) {
    for (let frames = 0; frames < 3; frames += 1) await frame()
    expect(called).toEqual(expected)
    ends[['first', 'second', 'newest'].indexOf(called.at(-1) ?? '')]?.()
  }
})
