import { openFrame } from '../packages/isolated/src/frame.ts'
import { isolatedFrameHtml } from '../packages/isolated/src/frame-html.ts'
import { isObject } from '../packages/isolated/src/is-object.ts'

/** Runs code as that of a tool, without the runtime of tools. */
export async function runRaw(
  text: string,
  recipe: { html: string; probe?: string } = { html: isolatedFrameHtml() },
) {
  const got: string[] = []
  let last = performance.now()
  let longest = 0
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  let missing = recipe.probe === undefined ? 1 : 2
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      missing -= 1
      if (missing === 0) resolve()
    }
    const frame = openFrame(recipe, {
      kept: () => {},
      failed: reject,
      probed: end,
      message: (_, message) => {
        got.push(JSON.stringify(message) ?? '')
        const { type } = isObject(message) ? message : {}
        if (type === 'done' || type === 'broken') end()
      },
    })
    frame.load({ text, network: false, probes: recipe.probe !== undefined })
  }).finally(() => clearInterval(timer))
  return { got, longest: Math.round(longest) }
}
