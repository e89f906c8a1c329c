import { createAgent, type ModelChunk, memoryStorage } from '@offthread/core'
import { sessionsIn } from '@offthread/core/sessions'
import type { Page } from '@playwright/test'

/** Opens a chat of that many turns. */
export async function openLongChat(page: Page, turns: number): Promise<void> {
  await page.getByRole('button', { name: 'Chats' }).click()
  const list = page.getByRole('dialog', { name: 'Chats' })
  const file = { name: 'long.jsonl', mimeType: '', buffer: await chatOf(turns) }
  await list.getByLabel('Chat to import').setInputFiles(file)
  await list.getByRole('link', { name: 'Question 1' }).click()
}

/** A chat of that many turns, as a file: made without a page, which would draw each of them. */
async function chatOf(turns: number): Promise<Buffer> {
  const delta = 'An answer of **some** words.\n\n- one\n- two\n\nAnd `code` at its end.'
  const chunks: readonly ModelChunk[] = [
    { type: 'text_start', contentIndex: 0 },
    { type: 'text_delta', contentIndex: 0, delta },
    { type: 'text_end', contentIndex: 0 },
    { type: 'finish', stopReason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } },
  ]
  async function* stream(): AsyncGenerator<ModelChunk> {
    yield* chunks
  }
  const model = { identity: { provider: 'test', id: 'test' }, stream }
  const storage = memoryStorage()
  const agent = createAgent({ model, storage, sessionId: 'long' })
  for (let turn = 1; turn <= turns; turn += 1) await agent.prompt(`Question ${turn}`)
  await agent.stored()
  const file = new Response(await sessionsIn(storage).export('long'))
  return Buffer.from(await file.arrayBuffer())
}
