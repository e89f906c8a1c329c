/** What both protocols of WebDriver take as input. */

const codes = { Enter: '\uE007', Shift: '\uE008' }

/** @param {import('./driver.ts').Place} place */
export function clickAt({ x, y }) {
  const mouse = [
    { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ]
  return [{ type: 'pointer', id: 'mouse', actions: mouse }]
}

/** @param {string} text */
export function keysOf(text) {
  return keyboard(
    [...text].flatMap((letter) =>
      letter === '\n' ? within(codes.Shift, stroke(codes.Enter)) : stroke(letter),
    ),
  )
}

/** @param {'Enter'} key */
export function keyOf(key) {
  return keyboard(stroke(codes[key]))
}

/** @param {readonly object[]} actions */
function keyboard(actions) {
  return [{ type: 'key', id: 'keyboard', actions }]
}

/** @param {string} value */
function stroke(value) {
  return within(value, [])
}

/**
 * @param {string} value the key that is held meanwhile
 * @param {readonly object[]} actions
 */
function within(value, actions) {
  return [{ type: 'keyDown', value }, ...actions, { type: 'keyUp', value }]
}
