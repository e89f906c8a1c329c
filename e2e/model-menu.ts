import type { Locator, Page } from '@playwright/test'
import { test as base, type Chat, expect } from './chat.ts'
import type { Protocol } from './model-server.ts'

/** The key of the tests. It may be found in the header of one origin and nowhere else. */
export const key = 'sk-canary-0f9e8d7c6b5a'
/** A key that every server refuses. It must not be found anywhere either. */
export const wrongKey = 'sk-canary-wrong-1a2b3c4d'

export interface Choice {
  readonly address: string
  readonly model?: string
  readonly key?: string
}

/** The menu in which the model is chosen. */
export interface ModelMenu {
  readonly dialog: Locator
  /** The button in the header with the name of the model. */
  readonly button: Locator
  readonly address: Locator
  readonly model: Locator
  readonly key: Locator
  readonly take: Locator
  /** Opens the menu at the fields of a provider. */
  readonly openAt: (protocol: Protocol) => Promise<void>
  /** Chooses a model in the menu. */
  readonly use: (protocol: Protocol, choice: Choice) => Promise<void>
  readonly usePlanner: () => Promise<void>
}

const names: Readonly<Record<Protocol, RegExp>> = {
  anthropic: /^Anthropic/,
  openai: /^OpenAI-compatible/,
}

interface Fixtures {
  readonly menu: ModelMenu
  /** Everything that was written to the console. */
  readonly written: string[]
  /** The origins of which a request had the key in its headers. */
  readonly keyOrigins: Set<string>
}

/** After each test, the key must be found only in requests to the origin it was entered for. */
export const test = base.extend<Fixtures>({
  written: async ({ page }, use) => {
    const written: string[] = []
    page.on('console', (message) => written.push(message.text()))
    page.on('pageerror', (error) => written.push(String(error), error.stack ?? ''))
    await use(written)
  },
  keyOrigins: async ({ page }, use) => {
    const origins = new Set<string>()
    page.on('request', (request) => {
      expect(request.url()).not.toContain('canary')
      expect(request.postData() ?? '').not.toContain('canary')
      const headers = JSON.stringify(request.headers())
      if (headers.includes('canary')) origins.add(new URL(request.url()).origin)
    })
    await use(origins)
  },
  chat: async ({ chat, written, keyOrigins: _keyOrigins }, use) => {
    await use(chat)
    expect(written.filter((text) => text.includes('canary'))).toEqual([])
    expect(await placesWith(chat.page, 'canary')).toEqual([])
  },
  menu: async ({ page }, use) => {
    await use(createMenu(page))
  },
})

export { expect }

function createMenu(page: Page): ModelMenu {
  const dialog = page.getByRole('dialog', { name: 'Who answers' })
  const field = (name: string | RegExp) => dialog.getByRole('textbox', { name })
  const menu = {
    dialog,
    button: page.getByRole('button', { name: /^Model: / }),
    address: field('Address'),
    // A field with suggestions has another role: combobox.
    model: dialog.getByRole('combobox', { name: 'Model' }),
    // A password field has no role.
    key: dialog.getByLabel(/^Key/),
    take: dialog.getByRole('button', { name: 'Use this model' }),
  }
  const open = async () => {
    if (!(await dialog.isVisible())) await menu.button.click()
    await expect(dialog).toBeVisible()
  }
  const openAt = async (protocol: Protocol) => {
    await open()
    await dialog.getByRole('radio', { name: names[protocol] }).check()
  }
  return {
    ...menu,
    openAt,
    use: async (protocol, choice) => {
      await openAt(protocol)
      await menu.address.fill(choice.address)
      await menu.model.fill(choice.model ?? 'test-model')
      // Leaving the address field may have emptied the key.
      if (choice.key !== undefined) await menu.key.fill(choice.key)
      await menu.take.click()
      await expect(dialog).toBeHidden()
    },
    usePlanner: async () => {
      await open()
      await dialog.getByRole('radio', { name: /^Scripted planner/ }).check()
      await menu.take.click()
      await expect(dialog).toBeHidden()
    },
  }
}

/** The places in the page, its storage and its agent that contain a text. */
export async function placesWith(page: Page, text: string): Promise<readonly string[]> {
  return page.evaluate(async (text) => {
    const seen = new WeakSet<object>()
    const plain = (value: unknown): string =>
      JSON.stringify(value, (_, each: unknown) => {
        if (each instanceof Map) return [...each]
        if (each instanceof Error) return [each.message, each.stack, String(each.cause)]
        if (typeof each !== 'object' || each === null) return each
        if (seen.has(each)) return '(seen)'
        seen.add(each)
        return each
      }) ?? ''
    const databases = await indexedDB.databases()
    const stores = await Promise.all(databases.map(({ name = '' }) => contentOf(name)))
    const cacheNames = await caches.keys()
    const places: Readonly<Record<string, string>> = {
      document: document.documentElement.outerHTML,
      text: document.body.textContent,
      fields: plain([...document.querySelectorAll('input, textarea')].map(contentOfField)),
      address: `${location.href} ${plain(history.state)}`,
      name: window.name,
      cookies: document.cookie,
      localStorage: plain({ ...localStorage }),
      sessionStorage: plain({ ...sessionStorage }),
      indexedDB: plain([databases, stores]),
      caches: plain(cacheNames),
      events: plain(window.events),
      state: plain(window.offthread.agent.getState()),
      resources: plain(performance.getEntriesByType('resource').map(({ name }) => name)),
    }
    return Object.keys(places).filter((place) => places[place]?.includes(text))

    function contentOfField(element: Element): string {
      return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
        ? element.value
        : ''
    }

    function contentOf(name: string): Promise<unknown[]> {
      return new Promise((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const database = opening.result
          const tables = [...database.objectStoreNames]
          if (tables.length === 0) return resolve([])
          const transaction = database.transaction(tables)
          const reads = tables.map((table) => transaction.objectStore(table).getAll())
          transaction.oncomplete = () => resolve(reads.map((read): unknown => read.result))
          transaction.onerror = () => reject(transaction.error)
        }
      })
    }
  }, text)
}

/** The error sentence of a failed run. */
export function failureIn({ page }: Chat): Locator {
  return page.locator('.run-error')
}
