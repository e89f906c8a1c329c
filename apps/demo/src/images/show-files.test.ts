import { createAgent } from '@offthread/core'
import { say, scriptedModel } from '@offthread/core/testing'
import { expect, test } from 'vitest'
import { type PendingFile, toParts } from '../files/attachments.ts'
import { withDigests } from '../files/digest.ts'
import { showFiles } from './show-files.ts'

const images = { longEdge: 100, bytes: 1000 }

test('of more files than a request has room for, the newest message has its own', async () => {
  // 4 characters of base64 text for 3 bytes: there is room for 25.
  const { agent, ask, shown } = talk({ images, request: 1000 })
  await ask(filesOf('old', 10, 30))
  expect(shown(0)).toEqual([10, 0])

  await ask(filesOf('new', 20, 30))
  // In a message the order is that of its files.
  expect(shown(1)).toEqual([5 + 20, 5])
  // One that no request has room for takes none of it.
  await ask(filesOf('last', 1, 900))
  expect(shown(2)).toEqual([25, 6])
  expect(agent.getState().error).toBeNull()
})

test('no request has more than 100 files', async () => {
  const { ask, shown } = talk({ images, request: 1_000_000 })
  await ask(filesOf('a', 70, 3))
  await ask(filesOf('b', 50, 3))

  expect(shown(1)).toEqual([100, 20])
})

function talk(sight: ReturnType<Parameters<typeof showFiles>[0]['sight']>) {
  const kept = new Map<string, Blob>()
  const model = scriptedModel(...Array.from({ length: 3 }, () => [say('I see.')]))
  const agent = createAgent({
    model,
    hooks: showFiles({
      sight: () => sight,
      find: async (digest) => kept.get(digest),
      makeFit: async (image) => image,
    }),
  })
  return {
    agent,
    ask: async (files: readonly PendingFile[]) => {
      const named = await withDigests(files)
      for (const { digest = '', file } of named) kept.set(digest, file)
      await agent.prompt(toParts('Look.', named))
    },
    /** Files that a request shows, and those that it names as left out. */
    shown: (at: number) => {
      const parts = (model.requests[at]?.messages ?? []).flatMap<{ type: string; text?: string }>(
        ({ content }) => content,
      )
      return [
        parts.filter(({ type }) => type === 'image').length,
        parts.filter((part) => part.text?.includes('is left out:')).length,
      ]
    },
  }
}

function filesOf(name: string, count: number, bytes: number): readonly PendingFile[] {
  return Array.from({ length: count }, (_, n) => ({
    name: `${name}-${n}.png`,
    file: new Blob([`${name}-${n}`.padEnd(bytes, '.')], { type: 'image/png' }),
  }))
}
