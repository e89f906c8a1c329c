import { openFrame } from '../packages/isolated/src/frame.ts'
import { isolatedFrameHtml } from '../packages/isolated/src/frame-html.ts'
import { isObject } from '../packages/isolated/src/is-object.ts'
import { watchPauses } from './floods.ts'

/** Runs code as that of a tool, without the runtime of tools. */
export async function runRaw(
  text: string,
  recipe: { html: string; probe?: string } = { html: isolatedFrameHtml() },
) {
  const got: string[] = []
  const pauses = watchPauses()
  let missing = recipe.probe === undefined ? 1 : 2
  const ended = new Promise<void>((resolve, reject) => {
    const end = () => {
      missing -= 1
      if (missing === 0) resolve()
    }
    const frame = openFrame(recipe, {
      kept: () => {},
      failed: reject,
      probed: end,
      message: (_, read) => {
        const message = read()
        got.push(JSON.stringify(message) ?? '')
        const { type } = isObject(message) ? message : {}
        if (type === 'done' || type === 'broken') end()
      },
    })
    frame.load({ text, network: false, probes: recipe.probe !== undefined })
  })
  let longest = 0
  await ended.finally(() => {
    longest = pauses()
  })
  return { got, longest: Math.round(longest) }
}
