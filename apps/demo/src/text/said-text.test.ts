import { createAgent, defineTool, implement, inPage } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { saidText } from './said-text.ts'

test('has all that was said, with calls and their results', async () => {
  const plot = defineTool({
    ...{ name: 'plot', description: 'Plots.', place: 'page' },
    inputSchema: z.object({ kind: z.string() }),
  })
  const agent = createAgent({
    model: scriptedModel([say('I draw.'), call('plot', {})], [say('Done.')]),
    tools: [inPage([implement(plot, () => '')])],
  })
  await agent.prompt('Draw it.')

  expect(saidText(agent.getTranscript())).toMatch(
    /^# user\nDraw it\.\n\n# assistant\nI draw\.\nplot {}\n\n# result of plot\nInvalid arguments[\s\S]+\n# assistant\nDone\.\n$/,
  )
})
