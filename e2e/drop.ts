import { expect, type JSHandle, type Page } from '@playwright/test'

interface NamedContent {
  readonly name: string
  readonly content: string | Buffer
}

/** Drops a file on the page. */
export async function dropFile(page: Page, { name, content }: NamedContent): Promise<void> {
  const base64 = Buffer.from(content).toString('base64')
  const transfer = await page.evaluateHandle(
    ([name, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], name))
      return transfer
    },
    [name, base64] as const,
  )
  await drop(page, transfer, name)
}

interface NamedRows {
  readonly name: string
  readonly rows: number
}

/** Drops a CSV of that many rows. It is made in the page, because a large one takes long to get there. */
export async function dropRows(page: Page, { name, rows }: NamedRows): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([name, rows]) => {
      const toLine = (_: unknown, i: number) => `${i},name ${i},${i % 97},${i / 8}\n`
      const lines = ['id,name,units,price\n', ...Array.from({ length: rows }, toLine)]
      const transfer = new DataTransfer()
      transfer.items.add(new File(lines, name))
      return transfer
    },
    [name, rows] as const,
  )
  await drop(page, transfer, name)
}

async function drop(page: Page, dataTransfer: JSHandle<DataTransfer>, name: string): Promise<void> {
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent('body', type, { dataTransfer })
  }
  await expect(page.getByRole('list', { name: 'Files to send' })).toContainText(name)
}
