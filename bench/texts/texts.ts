import { type EvilText, evilTexts } from '../../apps/demo/src/markdown/evil-texts.fixtures.ts'
import { createRandom } from '../../apps/demo/src/tools/experiments.ts'

/** Those that have held up a page before. */
const known: readonly EvilText[] = [
  ['quotes', '>'.repeat(1710)],
  ['lists', '- '.repeat(1973)],
  ['quoted lists', '> - '.repeat(763)],
  ['addresses', `${'a.a+'.repeat(15_000)}@`],
  ['brackets and code', '[*a_`b'.repeat(6000)],
  ['items', '- a\n'.repeat(20_000)],
  ['stars', 'a**b'.repeat(20_000)],
  ['underlines', '_a__b'.repeat(6000)],
  ['stairs', Array.from({ length: 300 }, (_, step) => `${'  '.repeat(step)}- a\n`).join('')],
  ['accents', `e${'\u0301'.repeat(100_000)}`],
  ['one word', 'a'.repeat(1_000_000)],
  ['one paragraph', 'Some words. '.repeat(17_000)],
  ['a rich paragraph', 'Some **words** of it. '.repeat(9100)],
  ['6 MB', 'A paragraph of **some** length.\n\n'.repeat(187_500)],
].map(([name = '', text = '']) => ({ name, text }))

/** The known ones, and generated ones of up to a million characters. */
export function textsToTry(count: number, seed: number): readonly EvilText[] {
  return [...known, ...evilTexts(count, 1_000_000, createRandom(seed))]
}
