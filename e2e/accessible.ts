import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

declare global {
  interface Window {
    readonly axe?: typeof axe
  }
}

/**
 * Checks the page, or a part of it, with axe. It runs in the page itself, which has no frames, and works out in detail
 * only what is wrong.
 */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const wrong = await page.evaluate(async (part) => {
    const results = await window.axe?.run(part ?? document, { resultTypes: ['violations'] })
    return results?.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
  }, part)
  expect(wrong).toEqual([])
}
