import { expect, test } from 'vitest'
import { turns } from './turns.ts'

const frame = (): Promise<unknown> => new Promise(requestAnimationFrame)

test('calls no text back while one of the frame before is not drawn', async () => {
  const called: string[] = []
  const texts = new Map(['first', 'second', 'newest'].map((name) => [name, turns.join()]))
  for (const [name, text] of texts)
    turns.wait(text, { callback: () => called.push(name), chars: 6000 })

  for (const expected of [['newest'], ['newest', 'first'], ['newest', 'first', 'second']]) {
    for (let frames = 0; frames < 3; frames += 1) await frame()
    expect(called).toEqual(expected)
    turns.leave(texts.get(called.at(-1) ?? '') ?? 0)
  }
})
