import { expect, test } from 'vitest'
import { z } from 'zod'
import { nextTask } from '../internal/next-task.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { testAgent } from '../testing/test-agent.ts'
import { defineTool } from '../tools/definition.ts'
import { inPage } from '../tools/page/page-host.ts'
import { implement } from '../tools/worker/implement.ts'

const tool = defineTool({
  name: 'a',
  description: 'Returns a text.',
  place: 'page',
  inputSchema: z.object({ n: z.number() }),
})

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
