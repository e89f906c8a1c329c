import { expect, test } from 'vitest'
import type { ClaimMode } from '../../storage/port.ts'
import { hold, say, scriptedModel } from '../../testing/scripted.ts'
import { sessionId, tabs } from './tabs.fixtures.ts'

test.for(['prompt', 'steer', 'abort'] as const)(
  '[K14] what a person did when another agent owned the session already is shown as refused: %s',
  async (command) => {
    const { open, pass, storage } = tabs()
    // As a page that slept: it learns of the other owner by its refused append only.
    const claim = async (id: string, mode: ClaimMode, signal?: AbortSignal) => {
      const made = await storage.claim(id, mode, signal)
      return made && { ...made, lost: new AbortController().signal }
    }
    const own = scriptedModel([say('Hello.')], [hold()])
    const { agent } = open(own, { ...storage, claim })
    await pass(0)
    const runs = [agent.prompt('Hi.')]
    await pass(100)
    if (command !== 'prompt') runs.push(agent.prompt('Go on.'))
    await pass(100)
    const stored = await storage.read(sessionId)
    const other = await storage.claim(sessionId, 'take')

    if (command === 'prompt') runs.push(agent.prompt('Too late.'))
    else agent[command]('Too late.')
    await pass(100)

    expect(agent.getState()).toMatchObject({
      access: 'follower',
      refused: { command, message: expect.stringContaining('took the session before this') },
    })
    expect(await storage.read(sessionId)).toEqual(stored)
    // The next owner ends what ran.
    other?.release()
    await pass(5000)
    expect(await runs.at(-1)).toMatchObject({ reason: 'interrupted' })
    expect(JSON.stringify(agent.getState().messages)).not.toContain('Too late.')
  },
)

test('[K14] an owner that has done nothing meanwhile says nothing of it', async () => {
  const { open, pass, storage } = tabs()
  const { agent } = open(scriptedModel([say('Hello.')]))
  await pass(0)
  const run = agent.prompt('Hi.')
  await pass(100)
  await run

  const other = await storage.claim(sessionId, 'take')
  await pass(100)

  expect(agent.getState()).toMatchObject({ access: 'follower', refused: null })
  other?.release()
})
