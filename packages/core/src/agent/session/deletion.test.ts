import { expect, test } from 'vitest'
import { quiet } from '../../runtime/environment.fixtures.ts'
import { call, hold, say, scriptedModel } from '../../testing/scripted.ts'
import { toolResult } from '../../tools/result/tool-result.ts'
import { pageTools } from '../agent.fixtures.ts'
import { sessionId, type Tab, tabs } from './tabs.fixtures.ts'

const seeds = Array.from({ length: 60 }, (_, index) => index + 1)

test.for(seeds)(
  '[D100] [D106] [D108] [D109] whenever a session is deleted, all who had it end, and the next one has nothing of it: seed %i',
  async (seed) => {
    const draw = drawFrom(seed)
    const { open, pass, storage } = tabs((environment) => ({
      tools: pageTools(environment, {
        draw: () =>
          toolResult({
            content: 'Of the first.',
            artifacts: [{ name: 'first', mediaType: 'x/y', data: new Blob(['first']) }],
          }),
      }),
    }))
    const first = () =>
      scriptedModel(
        ...Array.from({ length: 9 }, () =>
          draw([[say('Of the first.')], [call('draw')], [say('Of the first'), hold()]]),
        ),
      )
    const settled: [string, Promise<unknown>][] = []
    const keep = (what: string, promise: Promise<unknown>) =>
      void settled.push([what, promise.catch(String)])
    const before: Tab[] = []
    const join = () => void before.push(open(first()))
    // Pages that broke: the next agent only shows the session.
    if (draw([true, false, false]))
      for (const _ of [1, 2]) (await storage.claim(sessionId, 'take'))?.release()
    join()
    const acts = [
      join,
      () => keep('prompt', draw(before).agent.prompt('Of the first?')),
      () => keep('takeOver', draw(before).agent.takeOver()),
      () => draw(before).agent.abort(),
      () => draw(before).agent.followUp('Of the first, too.'),
    ]
    for (let step = draw([3, 6, 9, 12]); step > 0; step -= 1) {
      if (before.length < 4 || step % 2 === 0) attempt(draw(acts))
      if (draw([true, false])) await pass(draw([0, 100, 1500, 3000]))
    }

    for (const { agent } of before) await agent.ready
    const deleting = storage.delete(sessionId)
    if (draw([true, false])) attempt(draw(acts.slice(1)))
    await deleting
    if (draw([true, false])) await pass(0)
    const next = open(scriptedModel([say('Of the next.')]))
    const asked = next.agent.prompt('Of the next?')
    if (draw([true, false])) attempt(draw(acts.slice(1)))
    for (const ms of [0, 3000, 3000, 10_000]) await pass(ms)

    expect(await asked).toMatchObject({ text: 'Of the next.' })
    for (const [what, promise] of settled) {
      const left = await Promise.race([promise.then(() => null), quiet().then(() => what)])
      expect(left).toBeNull()
    }
    for (const { agent } of before) {
      expect(agent.getState()).toMatchObject({ storage: 'cleared', error: { kind: 'storage' } })
      expect(agent.isRunning()).toBe(false)
      expect(JSON.stringify(agent.getState().messages)).not.toContain('the next')
    }
    expect(next.agent.getState().access).toBe('owner')
    const stored = await storage.read(sessionId)
    expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index))
    expect(JSON.stringify(stored)).not.toContain('the first')
    expect(await storage.list()).toMatchObject([{ bytes: 0, keys: [] }])
  },
)

/** What may be refused at once. */
function attempt(work: () => void): void {
  try {
    work()
  } catch (error) {
    expect(error).toMatchObject({ name: expect.stringMatching(/Agent\w+Error|StorageError/u) })
  }
}

function drawFrom(seed: number) {
  let state = seed * 7919
  return <One>(choices: readonly [One, ...One[]] | readonly One[]): One => {
    state = (state * 16_807) % 2_147_483_647
    const chosen = choices[state % choices.length]
    if (chosen === undefined) throw new Error('There is nothing to choose.')
    return chosen
  }
}
