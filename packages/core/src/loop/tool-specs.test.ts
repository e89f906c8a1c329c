import { expect, test } from 'vitest'
import { z } from 'zod'
import { formatForAnthropic } from '../model/anthropic/format.ts'
import { formatForOpenAI } from '../model/openai/format.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { toolSpecs } from './tool-specs.ts'

const [pick, name] = ['pick', 'name'].map((each) =>
  inClient([
    defineTool({
      name: each,
      description: `Does: ${each}.`,
      place: 'client',
      inputSchema: z.object({ n: z.number() }),
    }),
  ]),
)

test('[S004-11] the tools of an agent are the tools of a request', () => {
  const specs = toolSpecs([pick, name].filter((host) => host !== undefined))

  expect(specs).toMatchObject([
    { name: 'pick', description: 'Does: pick.', inputSchema: { type: 'object', required: ['n'] } },
    { name: 'name' },
  ])
  const messages = [
    { id: 'm', parentId: null, role: 'user', content: [{ type: 'text', text: 'Hi.' }] } as const,
  ]
  expect(formatForAnthropic(messages, { tools: specs }).tools).toMatchObject([
    { name: 'pick' },
    { name: 'name' },
  ])
  expect(formatForOpenAI(messages, { tools: specs }).tools).toHaveLength(2)
  expect(pick && toolSpecs(pick)).toHaveLength(1)
})

test('two tools of one name are refused', () => {
  const twice = [pick, pick].filter((host) => host !== undefined)

  expect(() => toolSpecs(twice)).toThrow('Duplicate tool name: pick')
})
