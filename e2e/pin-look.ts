import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const require = createRequire(import.meta.url)
const fonts = {
  'Pinned Sans': require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  'Pinned Mono': require.resolve(
    '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  ),
}

const letters = ':root { --font: "Pinned Sans"; --mono: "Pinned Mono"; }'

/** What is never twice the same is not on the pictures: the time that something takes. */
const still = `
  .dev-bar { display: none; }
  :is(.elapsed, .group-clock)[aria-hidden], .run-clock, .panel-handle > span { visibility: hidden; }
  .tool-group:has([data-status="running"]) .mini-waterfall { visibility: hidden; }
  * { caret-color: transparent !important; }
`

/** Shows nothing that is never twice the same. */
export async function pinLook(page: Page): Promise<void> {
  await pinLetters(page, letters + still)
  await page.evaluate(() => {
    // No font of the tests has these two: each machine would draw them in another width.
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      node.nodeValue = node.nodeValue?.replaceAll('π', 'pi').replaceAll('≈', '~') ?? null
  })
}

/** Machines have other fonts: the page takes those of the tests, and looks the same everywhere. */
export async function pinLetters(page: Page, styles: string = letters): Promise<void> {
  const files = Object.entries(fonts).map(
    ([family, path]) => [family, readFileSync(path, 'base64')] as const,
  )
  await page.evaluate(
    async ([files, styles]) => {
      // As bytes: the policy of the page would allow no address.
      for (const [family, base64] of files) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
        document.fonts.add(await new FontFace(family, bytes, { weight: '100 900' }).load())
      }
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(styles)
      document.adoptedStyleSheets.push(sheet)
    },
    [files, styles] as const,
  )
}
