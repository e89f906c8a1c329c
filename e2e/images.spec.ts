import type { Page } from '@playwright/test'
import { dropFile } from './drop.ts'
import { expect, test } from './model-menu.ts'
import { say, startModelServer } from './model-server.ts'

test('an image that is pasted is shown, sent to a model that sees, and there after a reload', async ({
  chat,
  menu,
}) => {
  const { page } = chat
  const server = await startModelServer({ protocol: 'openai' })
  try {
    await menu.use('openai', { address: server.address })
    server.enqueue(say('openai', 'It is a red square.'))
    await pasteImage(page, 'square.png')
    await chat.ask('What is this?')
    await chat.ended()

    await expectShown(page)
    const [question] = userMessages(server.seen[0]?.body)
    expect(question).toEqual([
      { type: 'text', text: 'What is this?' },
      {
        type: 'text',
        text: expect.stringMatching(/^\[attached\] square\.png, \d+ bytes, sha256 /),
      },
      { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) } },
    ])
    expect(await colourOf(page, addressIn(question))).toEqual([255, 0, 0])

    await page.reload()

    await expect(chat.answer).toContainText('It is a red square.')
    await expectShown(page)
  } finally {
    await server.close()
  }
})

test('an image that is dropped and a PDF that is chosen are read, and one that cannot be drawn loses nothing', async ({
  chat,
  menu,
}) => {
  const { page } = chat
  const server = await startModelServer({ protocol: 'anthropic' })
  try {
    await menu.use('anthropic', { address: server.address })
    server.enqueue(say('anthropic', 'A pixel and a page.'))
    await dropFile(page, { name: 'pixel.gif', content: pixel })
    await dropFile(page, { name: 'huge.png', content: 'no image' })
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({
        name: 'page.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF-1.4'),
      })
    await chat.ask('What are these?')
    await chat.ended()

    expect(JSON.stringify(userMessages(server.seen[0]?.body))).toMatch(
      /pixel\.gif.*"media_type":"image\/webp".*\[huge\.png cannot be read as an image\].*page\.pdf.*"media_type":"application\/pdf"/s,
    )
    const question = page.getByRole('article').first()
    await expect(question.getByRole('img', { name: 'pixel.gif' })).toBeVisible()
    await expect(question).toContainText('huge.png is kept, but cannot be shown:')
    await expect(question.getByRole('list', { name: 'Attached files' })).toHaveText(
      /pixel\.gif.*huge\.png.*page\.pdf/s,
    )
  } finally {
    await server.close()
  }
})

const pixel = Buffer.from('R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')

/** Pastes a red square into the message field, as a file. */
async function pasteImage(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).evaluate(async (field, name) => {
    const canvas = new OffscreenCanvas(40, 40)
    const drawing = canvas.getContext('2d')
    if (drawing) drawing.fillStyle = '#f00'
    drawing?.fillRect(0, 0, 40, 40)
    const clipboardData = new DataTransfer()
    const image = await canvas.convertToBlob()
    clipboardData.items.add(new File([image], name, { type: image.type }))
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }, name)
  await expect(page.getByRole('list', { name: 'Files to send' })).toContainText(name)
}

async function expectShown(page: Page): Promise<void> {
  const image = page.getByRole('article').first().getByRole('img', { name: 'square.png' })
  await expect(image).toBeVisible()
  const width = () =>
    image.evaluate((shown) => shown instanceof HTMLImageElement && shown.naturalWidth)
  await expect.poll(width).toBe(40)
}

/** The content of the messages that a person has sent. */
function userMessages(body: unknown): readonly unknown[] {
  const { messages } = body as { messages: readonly { role: string; content: unknown }[] }
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content)
}

function addressIn(content: unknown): string {
  const [address = ''] = /data:[^"]+/.exec(JSON.stringify(content)) ?? []
  return address
}

function colourOf(page: Page, address: string): Promise<readonly number[]> {
  return page.evaluate(async (address) => {
    const image = new Image()
    image.src = address
    await image.decode()
    const drawing = new OffscreenCanvas(1, 1).getContext('2d')
    drawing?.drawImage(image, 0, 0)
    return [...(drawing?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3)
  }, address)
}
