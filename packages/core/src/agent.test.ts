import { expect, test } from 'vitest'
import { z } from 'zod'
import { createAgent } from './agent.ts'
import { call, say, scriptedModel } from './model/scripted.ts'
import { defineTool } from './tools/definition.ts'
import { implement } from './tools/implement.ts'
import { inPage } from './tools/page-host.ts'

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  place: 'page',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
})

test('answers a question with the help of a tool', async () => {
  const model = scriptedModel([say('Let me see.'), call('add', { a: 2, b: 3 })], [say('It is 5.')])
  const agent = createAgent({ model, tools: inPage([implement(add, ({ a, b }) => a + b)]) })
  const types: string[] = []
  agent.subscribe((event) => types.push(event.type))

  const result = await agent.prompt('What is 2 + 3?')

  console.log(types.join(' '), JSON.stringify(result, null, 1))
  expect(result).toMatchObject({ reason: 'stop', text: 'It is 5.' })
})
