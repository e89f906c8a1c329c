import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { formatForAnthropic } from '../model/anthropic/format.ts'
import { formatForOpenAI } from '../model/openai/format.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import type { ReturnedResult, ToolHost } from '../tools/host.ts'
import { inClient } from '../tools/page/client-host.ts'
import { toolResult } from '../tools/result/tool-result.ts'
import { pageTools } from './agent.fixtures.ts'
import { type Agent, createAgentIn } from './create-agent.ts'
import type { AgentOptions } from './options.ts'

const secret = 'SECRET-4711'

const text = fc.record({ type: fc.constant('text'), text: fc.string() })
/** Parts, some with more fields than they have. */
const part = fc.oneof(
  text,
  text.map((one) => ({ ...one, _meta: secret, details: { secret } })),
)
const wrongContent = fc.oneof(
  fc.constantFrom<unknown>(null, 7, true, { text: 'a' }),
  fc.array(fc.constantFrom({ type: 'audio', data: 'AA' }, { type: 'resource_link' }, 'a'), {
    minLength: 1,
  }),
)
const hidden = fc.constantFrom<unknown>(secret, { secret }, [{ deep: [secret] }])
const extra = fc.string({ minLength: 1 }).filter((name) => name !== '__proto__')

/** Everything that looks like a result, with a secret wherever the model may not read. */
const shapes = fc
  .record({
    content: fc.oneof(fc.string(), fc.array(part), wrongContent),
    hidden: fc.dictionary(
      fc.constantFrom('details', 'structuredContent', '_meta', 'artifacts'),
      hidden,
      { minKeys: 1 },
    ),
    rest: fc.dictionary(extra, hidden, { maxKeys: 2 }),
    flags: fc.record(
      { isError: fc.constantFrom<unknown>(true, false, 'yes'), terminate: fc.boolean() },
      { requiredKeys: [] },
    ),
    hasContent: fc.integer({ max: 9 }).map((die) => die > 0),
    form: fc.constantFrom(
      (fields: object): object => fields,
      (fields: object): object => ({ toJSON: () => fields }),
      (fields: object): object => Object.freeze({ ...fields }),
      (fields: object): object => Object.assign(new (class Result {})(), fields),
      (fields: object): object => toolResult({ ...{ content: '' }, ...fields }),
    ),
  })
  .map(({ content, hidden: unseen, rest, flags, hasContent, form }) =>
    // An object with fields of its own and no content is data.
    form(hasContent ? { ...rest, content, ...unseen, ...flags } : { ...unseen, ...flags }),
  )

const client = defineTool({
  name: 'give',
  description: '',
  place: 'client',
  inputSchema: z.object({}),
})
const own = defineTool({ name: 'give', description: '', inputSchema: z.object({}) })

/** Every way on which a result reaches an agent. */
const ways: Record<string, (value: object) => Pick<AgentOptions, 'tools' | 'hooks'>> = {
  'of a tool': (value) => ({ tools: pageTools(createManualEnvironment(), { give: () => value }) }),
  'from outside': () => ({ tools: inClient([client]) }),
  'of a hook': (value) => ({
    tools: pageTools(createManualEnvironment(), { give: () => 'a' }),
    hooks: { afterToolCall: () => Object.assign({}, value) },
  }),
  'of a host of one’s own': (value) => ({
    tools: hostThatGives(Object.assign({ content: [] }, value)),
  }),
}

test.for(Object.entries(ways))(
  '[I19] [T2] [S003-3] no shape of a result %s shows a provider what the model may not read',
  async ([, way]) => {
    await fc.assert(
      fc.asyncProperty(shapes, async (value) => {
        const model = scriptedModel([call('give')], [say('Done.')])
        const agent = createAgentIn(
          { model, toolMode: 'auto', ...way(value) },
          createManualEnvironment(),
        )

        await run(agent, value)

        const messages = agent.getTranscript()
        expect(messages.some(({ role }) => role === 'toolResult')).toBe(true)
        const sent = [formatForAnthropic(messages), formatForOpenAI(messages)]
        expect(JSON.stringify(sent)).not.toContain(secret)
      }),
      { numRuns: 100 },
    )
  },
)

async function run(agent: Agent, value: object): Promise<void> {
  const { reason } = await agent.prompt('Go.')
  if (reason !== 'awaiting_tool_results') return
  const [open] = agent.getState().toolCalls.active
  if (!open) throw new Error('No call is open.')
  await agent
    .addToolResult(open.toolCallId, value)
    .catch(() => agent.addToolResult(open.toolCallId, 'Refused.'))
  await quiet()
}

function hostThatGives(result: ReturnedResult): ToolHost {
  return {
    tools: [own],
    open: () => ({
      ready: Promise.resolve(),
      run: () => Promise.resolve({ kind: 'returned', result }),
      stop: () => {},
      close: () => {},
    }),
    check: () => Promise.resolve(),
  }
}
