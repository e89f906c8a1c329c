import { setTimeout as pass } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

const patienceMs = 30_000

/**
 * What a person sees on a page, and does there. A name is what an element is called, or a part of its text.
 *
 * @param {import('./driver.ts').Driver} driver
 */
export function pageOf(driver) {
  const until = async (/** @type {string} */ condition) => {
    const end = performance.now() + patienceMs
    while (!(await driver.evaluate(condition))) {
      if (performance.now() > end) throw new Error(`Never: ${condition}\n${await shown()}`)
      await pass(20)
    }
  }
  const shown = () => driver.evaluate('document.body.innerText.slice(-600)')
  return {
    until,
    shows: (/** @type {string} */ selector, /** @type {string} */ name) =>
      until(`${find(selector, name)} !== undefined`),
    count: (/** @type {string} */ selector) =>
      driver.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`),
    click: async (/** @type {string} */ selector, /** @type {string} */ name) => {
      const one = find(selector, name)
      await until(`${one} !== undefined`)
      await driver.evaluate(`void ${one}.scrollIntoView({ block: 'center' })`)
      // The page may scroll by itself meanwhile.
      const place = await settled(() => driver.evaluate(`(${placeOf})(${one})`))
      await driver.click(/** @type {import('./driver.ts').Place} */ (place))
    },
  }
}

/**
 * The first element that is drawn.
 *
 * @param {string} selector
 * @param {string} name
 */
function find(selector, name) {
  const all = `[...document.querySelectorAll(${JSON.stringify(selector)})]`
  const named = `(it.ariaLabel ?? it.textContent).includes(${JSON.stringify(name)})`
  return `${all}.find((it) => it.getClientRects().length > 0 && ${named})`
}

/** Its middle, where it is not covered. */
const placeOf = `(it) => {
  const { x, y, width, height } = it.getBoundingClientRect()
  const place = { x: x + width / 2, y: y + height / 2 }
  return it.contains(document.elementFromPoint(place.x, place.y)) ? place : undefined
}`

/**
 * What is read the same twice.
 *
 * @param {() => Promise<unknown>} read
 */
async function settled(read) {
  const end = performance.now() + patienceMs
  let before = await read()
  while (performance.now() < end) {
    await pass(50)
    const now = await read()
    if (now !== null && isDeepStrictEqual(now, before)) return now
    before = now
  }
  throw new Error(`It moves or is covered: ${JSON.stringify(before)}`)
}
