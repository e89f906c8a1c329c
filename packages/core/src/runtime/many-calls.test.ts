import { expect, test } from 'vitest'
import { z } from 'zod'
import { untilAborted } from '../internal/abort.ts'
import { nextTask } from '../internal/next-task.ts'
import { isDurable } from '../kernel/events.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { testAgent } from '../testing/test-agent.ts'
import { defineTool } from '../tools/definition.ts'
import { inPage } from '../tools/page/page-host.ts'
import { implement } from '../tools/worker/implement.ts'

const described = {
  description: 'Returns a text.',
  place: 'page',
  inputSchema: z.object({ n: z.number() }),
} as const
const tool = defineTool({ ...described, name: 'a' })

test('[L4] the page has its turn while the many calls of one answer are checked', async () => {
  const many = Array.from({ length: 200 }, (_, n) => call('a', { n }))
  const { agent, eventsOf } = testAgent({
    model: scriptedModel(many, [say('Done.')]),
    tools: inPage([implement(tool, () => 'ran')]),
    maxCallsPerTurn: 200,
  })
  let turns = 0
  const countTurns = async () => {
    while (eventsOf('tool_prepared').length < 200) {
      await nextTask()
      turns += 1
    }
  }
  const isFirst = ({ type }: { readonly type: string }) =>
    type === 'tool_prepared' && eventsOf('tool_prepared').length === 1
  agent.subscribe((event) => isFirst(event) && void countTurns())

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop', text: 'Done.' })

  expect(turns).toBeGreaterThanOrEqual(200 / 20 - 1)
})

test('[L4] the page has its turn while what follows from a thousand calls is written, and the log is the same', async () => {
  const { log, tasks } = await logOfMany(1000)
  const { log: few } = await logOfMany(2)

  // The starts of one unit stay together, and so do ends.
  expect(Math.max(...tasks)).toBeLessThan(1100)
  expect([...new Set(log)]).toEqual([...new Set(few)])
  expect(log.filter((type) => type === 'tool_execution_end')).toHaveLength(1000)
  expect(log.lastIndexOf('tool_execution_start')).toBeLessThan(log.indexOf('tool_execution_end'))
  expect(log.lastIndexOf('tool_execution_end')).toBeLessThan(log.indexOf('tools_end'))
})

test('[L4] a command that comes in between finds all written that follows from the calls', async () => {
  const { agent, eventsOf } = testAgent({ model: scriptedModel(missing(1000), [say('Done.')]) })
  const results = () =>
    eventsOf('message_end').filter(({ message }) => message.role === 'toolResult')
  let [before, after] = [0, 0]
  const stopBetween = async () => {
    await nextTask()
    before = results().length
    agent.abort()
    after = results().length
  }
  agent.subscribe(({ type }) => {
    if (type === 'tool_execution_start' && eventsOf(type).length === 1000) void stopBetween()
  })

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'aborted' })

  expect(before).toBeLessThan(1000)
  expect(after).toBe(1000)
  expect(eventsOf('abort_requested')[0]?.seq).toBeGreaterThan(results().at(-1)?.seq ?? Infinity)
  const kinds = eventsOf('tool_execution_end').map(({ errorKind }) => errorKind)
  expect([...new Set(kinds)]).toEqual(['not_found', 'limit'])
})

test.each(['return', 'are stopped'] as const)(
  '[L4] the page has its turn while many calls %s in one moment',
  async (how) => {
    const many = Array.from({ length: 200 }, (_, n) => call('a', { n }))
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const { agent, eventsOf } = testAgent({
      model: scriptedModel(many, [say('Done.')]),
      tools: inPage([
        implement(tool, (_input, { signal }) =>
          Promise.race([released, untilAborted(new Promise(() => {}), signal)]),
        ),
      ]),
      ...{ maxCallsPerTurn: 200, maxConcurrency: 200 },
    })
    const isOver = agent.prompt('Go.')
    while (eventsOf('tool_running').length < 200) await nextTask()

    if (how === 'return') release()
    else agent.abort()
    const ends: number[] = []
    for (let before = 0; before < 200; before = eventsOf('tool_execution_end').length) {
      await nextTask()
      ends.push(eventsOf('tool_execution_end').length - before)
    }

    expect(Math.max(...ends)).toBeLessThanOrEqual(2 * 20)
    expect((await isOver).reason).toBe(how === 'return' ? 'stop' : 'aborted')
  },
)

test('[L4] after a stop the page has its turn while the results of many calls are written', async () => {
  const asks = defineTool({ ...described, name: 'a', needsApproval: true })
  const many = Array.from({ length: 400 }, (_, n) => call('a', { n }))
  const { agent, eventsOf } = testAgent({
    model: scriptedModel(many, [say('Done.')]),
    tools: inPage([implement(asks, () => 'ran')]),
    ...{ maxCallsPerTurn: 400 },
  })
  const results = () =>
    eventsOf('message_end').filter(({ message }) => message.role === 'toolResult').length
  const isOver = agent.prompt('Go.')
  while (eventsOf('tool_approval_requested').length < 400) await nextTask()

  agent.abort()
  const afterAbort = results()
  await isOver

  expect(afterAbort).toBeLessThan(400)
  expect(results()).toBe(400)
})

test('[E20] arguments are read once, and no listener can change what a call runs with', async () => {
  const given: unknown[] = []
  const { agent, eventsOf } = testAgent({
    model: scriptedModel([call('a', { n: 1 })], [say('Done.')]),
    tools: inPage([implement(tool, (input) => void given.push(input))]),
  })
  const refusals: boolean[] = []
  agent.subscribe((event) => {
    if (event.type !== 'tool_execution_start') return
    refusals.push(Reflect.set(Object(event.args), 'n', 2))
  })

  await agent.prompt('Go.')

  expect(refusals).toEqual([false])
  expect(given).toEqual([{ n: 1 }])
  expect(eventsOf('tool_prepared')[0]?.effectiveArgs).toBe(
    eventsOf('tool_execution_start')[0]?.args,
  )
})

const missing = (count: number) => Array.from({ length: count }, (_, n) => call('missing', { n }))

/** The types of the stored events of a run, and how many of them came in each task. */
async function logOfMany(count: number) {
  const { agent } = testAgent({ model: scriptedModel(missing(count), [say('Done.')]) })
  const log: string[] = []
  const tasks: number[] = []
  let isOver = false
  const countTasks = async () => {
    for (let before = 0; !isOver; before = log.length) {
      await nextTask()
      tasks.push(log.length - before)
    }
  }
  agent.subscribe((event) => isDurable(event) && log.push(event.type))
  const counted = countTasks()
  await agent.prompt('Go.')
  isOver = true
  await counted
  return { log, tasks }
}
