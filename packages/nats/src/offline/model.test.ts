import type { ClaimMode } from '@offthread/core/storage'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createManualEnvironment, quiet } from '../../../core/src/runtime/environment.fixtures.ts'
import { createWorld, type Device, type Page, sessionId, type World } from './world.fixtures.ts'

type Step =
  | { readonly do: 'own'; readonly mode: Exclude<ClaimMode, 'wait'> }
  | { readonly do: 'write'; readonly count: number; readonly hasFile: boolean }
  | { readonly do: 'hide'; readonly count: number }
  | { readonly do: 'cut' | 'cut behind next' | 'mend' | 'reload' | 'pass' }

/** A page takes a step, after which so many microtasks are done; `null`: all. */
interface Move {
  readonly page: 0 | 1 | 2
  readonly step: Step
  readonly turns: number | null
}

const mode = fc.constantFrom('if-free' as const, 'take' as const)
const write = fc.record({
  do: fc.constant('write' as const),
  count: fc.integer({ min: 1, max: 3 }),
  hasFile: fc.boolean(),
})
const own = fc.record({ do: fc.constant('own' as const), mode })
const hide = fc.record({ do: fc.constant('hide' as const), count: fc.integer({ min: 1, max: 2 }) })
const only = (name: 'cut' | 'cut behind next' | 'mend' | 'reload' | 'pass') =>
  fc.constant<Step>({ do: name })
const end = fc.oneof(only('reload'), hide)

/** What people do, of one page; else chance would rarely do it. */
const habit: fc.Arbitrary<readonly Step[]> = fc.oneof(
  fc.tuple(own, write),
  fc.tuple(only('cut'), write, write),
  fc.tuple(only('cut behind next'), write, write),
  fc.tuple(end, own, write),
  fc.tuple(only('cut'), end, own, write),
  fc.tuple(only('mend'), only('pass')),
  fc.tuple(only('mend'), only('pass'), write, write),
  fc.tuple(only('mend'), only('pass'), end, own),
  fc.tuple(only('mend'), write, end),
  fc.tuple(fc.oneof(own, write, hide, ...(['cut', 'mend', 'reload', 'pass'] as const).map(only))),
)
const moves: fc.Arbitrary<readonly Move[]> = fc
  .array(
    fc.record({
      page: fc.constantFrom(0 as const, 0 as const, 1 as const, 2 as const),
      habit,
      turns: fc.array(fc.option(fc.integer({ min: 0, max: 150 }), { freq: 2 }), {
        ...{ minLength: 4, maxLength: 4 },
      }),
    }),
    { minLength: 3, maxLength: 14 },
  )
  .map((habits) =>
    habits.flatMap(({ page, habit: steps, turns }) =>
      steps.map((step, index) => ({ page, step, turns: turns[index] ?? null })),
    ),
  )

test('[K17] [K18] [K19] whatever is cut, reloaded and written elsewhere, what was acknowledged is at the server in the end, once in a log and in order', async () => {
  const seen = { kept: 0 }
  await fc.assert(
    fc.asyncProperty(moves, async (drawn) => {
      const { world, devices, pages, pass } = await play(drawn)
      await settle(devices, pages, pass)
      await judge(world, seen)
      for (const { open } of devices) {
        expect(await open().storage.list()).toEqual(await world.server.list())
      }
    }),
    { numRuns: 400, seed: 16 },
  )
  // The cases are there.
  expect(seen.kept).toBeGreaterThan(80)
}, 300_000)

/** Two pages on one device, and one on another. */
async function play(drawn: readonly Move[]) {
  const { clock } = createManualEnvironment()
  const world = createWorld(clock)
  const devices = [world.device(), world.device()] as const
  const deviceOf = (page: number): Device => devices[page === 2 ? 1 : 0]
  const pages: [Page, Page, Page] = [devices[0].open(), devices[0].open(), devices[1].open()]
  const pass = async (ms: number) => {
    await quiet()
    clock.advance(ms)
    await quiet()
  }
  /** A page writes one after the other, as a journal does. */
  const writing: Promise<unknown>[] = [Promise.resolve(), Promise.resolve(), Promise.resolve()]
  for (const { page, step, turns } of drawn) {
    const { way, open } = deviceOf(page)
    const current = pages[page]
    const next = (work: () => Promise<unknown>) => {
      writing[page] = (writing[page] ?? Promise.resolve()).then(work)
    }
    if (step.do === 'own') next(() => current.own(step.mode))
    else if (step.do === 'write') next(() => current.write(step.count, step.hasFile))
    else if (step.do === 'cut') way.cut()
    else if (step.do === 'cut behind next') way.cutBehindNext()
    else if (step.do === 'mend') way.mend()
    else if (step.do === 'pass') clock.advance(2000)
    else {
      if (step.do === 'hide') current.hide(step.count)
      else current.end()
      pages[page] = open()
      writing[page] = Promise.resolve()
    }
    if (turns === null) await quiet()
    else for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
  }
  return { world, devices, pages, pass }
}

/** All come back to the server, one after the other, and open what they have. */
async function settle(
  devices: readonly Device[],
  pages: readonly Page[],
  pass: (ms: number) => Promise<void>,
): Promise<void> {
  for (const { way } of devices) way.mend()
  for (let round = 0; round < 3; round += 1) await pass(2000)
  for (const page of pages) page.end()
  await pass(0)
  for (const { open } of devices) {
    const { storage, end } = open()
    for (const id of [sessionId, ...(await storage.list()).map((entry) => entry.sessionId)]) {
      const claimed = storage.claim(id, 'take')
      for (let round = 0; round < 3; round += 1) await pass(2000)
      const claim = await claimed
      await claim?.confirm()
      claim?.release()
    }
    for (let round = 0; round < 3; round += 1) await pass(2000)
    end()
  }
}

async function judge(
  { server, acknowledged, files }: World,
  seen: { kept: number },
): Promise<void> {
  const entries = await server.list()
  const logs = await Promise.all(entries.map((entry) => server.read(entry.sessionId)))
  for (const [index, log] of logs.entries()) {
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, seq) => seq))
    for (const event of log) expect(event.sessionId).toBe(entries[index]?.sessionId)
  }
  const said = logs.map((log) =>
    log.flatMap((event) => (event.type === 'warning' ? event.message : [])),
  )
  for (const messages of said) expect(new Set(messages).size).toBe(messages.length)
  for (const own of acknowledged) {
    for (const message of own) {
      expect(
        said.some((messages) => messages.includes(message)),
        message,
      ).toBe(true)
    }
    for (const messages of said) {
      const there = messages.filter((message) => own.includes(message))
      expect(there).toEqual(own.filter((message) => there.includes(message)))
    }
  }
  for (const [index, messages] of said.entries()) {
    for (const file of messages.filter((message) => files.has(message))) {
      const { sessionId: id = '' } = entries[index] ?? {}
      expect(await (await server.readBytes(id, file))?.text(), `${file} of ${id}`).toBe(file)
    }
  }
  // What is kept apart has something of its own.
  const whole = new Set(said[entries.findIndex((entry) => entry.sessionId === sessionId)])
  for (const [index, messages] of said.entries()) {
    if (entries[index]?.sessionId === sessionId) continue
    expect(
      messages.filter((message) => !whole.has(message)),
      'own',
    ).not.toEqual([])
  }
  seen.kept += Math.max(0, entries.length - 1)
}
