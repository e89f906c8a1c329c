import {
  type Agent,
  type AgentState,
  createAgent,
  defineTool,
  inClient,
  type RunResult,
  type RunStatus,
  type ToolCallStatus,
} from '@offthread/core'
import { scriptedModel } from '@offthread/core/testing'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import {
  type AgentView,
  type ToolCallCard,
  useAgent,
  useAgentSelector,
  useElapsed,
  useToolCall,
} from './index.ts'

test('a selector gives what it selects', () => {
  const hook = (agent: Agent) => [
    expectTypeOf(useAgentSelector(agent, (state) => state.status)).toEqualTypeOf<RunStatus>(),
    expectTypeOf(
      useAgentSelector(
        agent,
        (state) => state.messages.length,
        (a, b) => a === b,
      ),
    ).toBeNumber(),
    // @ts-expect-error: an equality compares what was selected
    useAgentSelector(agent, status, (a: number, b: number) => a === b),
  ]
  expectTypeOf(hook).toBeFunction()
})

const status = (state: AgentState) => state.status

const dated = z.object({ at: z.coerce.date() })

test('a view has the state and the commands', () => {
  const hook = (agent: Agent) => useAgent(agent)
  expectTypeOf(hook).returns.toEqualTypeOf<AgentView>()
  const sent = ({ sendMessage }: AgentView) => [
    expectTypeOf(sendMessage('Hi.')).toEqualTypeOf<Promise<RunResult<never> | null>>(),
    expectTypeOf(sendMessage('Hi.', { output: dated })).toEqualTypeOf<
      Promise<RunResult<{ at: Date }>>
    >(),
    // @ts-expect-error: an output is an object
    sendMessage('Hi.', { output: z.string() }),
  ]
  expectTypeOf(sent).toBeFunction()
  const again = ({ edit, regenerate, continue: goOn }: AgentView) => [
    expectTypeOf(regenerate()).toEqualTypeOf<Promise<RunResult<never>>>(),
    ...[
      regenerate({ output: dated }),
      goOn({ output: dated }),
      edit('msg_1', '', { output: dated }),
    ].map((result) => expectTypeOf(result).toEqualTypeOf<Promise<RunResult<{ at: Date }>>>()),
    expectTypeOf(regenerate).toExtend<(event: MouseEvent) => void>(),
    // @ts-expect-error: an output is an object
    goOn({ output: z.string() }),
  ]
  expectTypeOf(again).toBeFunction()
  expectTypeOf<AgentView['stop']>().toEqualTypeOf<() => void>()
  const wrong = (view: AgentView) => [
    // @ts-expect-error: a denial has a reason, not arguments
    view.addToolApprovalResponse({ toolCallId: 'call_1', approved: false, args: {} }),
    // @ts-expect-error: an answer says what it answers
    view.addToolOutput({ output: 5 }),
  ]
  expectTypeOf(wrong).toBeFunction()
})

test('a tool call may not be there', () => {
  const hook = (agent: Agent) => useToolCall(agent, 'call_1')
  expectTypeOf(hook).returns.toEqualTypeOf<ToolCallCard | undefined>()
  expectTypeOf<ToolCallCard['status']>().toEqualTypeOf<ToolCallStatus>()
  expectTypeOf<ToolCallCard['cancel']>().returns.toBeBoolean()
  const button = ({ addToolApprovalResponse: onClick }: ToolCallCard) => (
    // @ts-expect-error: as a click handler it would take the event for an answer
    <button type="button" onClick={onClick} />
  )
  expectTypeOf(button).toBeFunction()
})

test('the clock of a card can be on any element', () => {
  const clock = () => <time ref={useElapsed(1, 2)} />
  expectTypeOf(clock).toBeFunction()
})

const pick = defineTool({
  name: 'pick',
  description: 'Has the user pick a date.',
  place: 'client',
  inputSchema: z.object({ min: z.string() }),
  outputSchema: z.object({ date: z.string() }),
})
const rate = defineTool({
  name: 'rate',
  description: 'Has the user rate something.',
  place: 'client',
  inputSchema: z.object({ title: z.string() }),
  outputSchema: z.object({ stars: z.number() }),
})
/** Never called: what is in it is for the compiler. */
const make = () => createAgent({ model: scriptedModel(), tools: inClient([pick, rate]) })
type Made = ReturnType<typeof make>

test('a card gets the types of its tool by the name of the tool', () => {
  const card = (agent: Made) => {
    const call = useToolCall(agent, 'call_1')
    if (call?.toolName !== 'pick') return
    if (call.hasValidArgs) expectTypeOf(call.args).toEqualTypeOf<{ min: string }>()
    expectTypeOf(call.output?.date).toEqualTypeOf<string | undefined>()
    expectTypeOf(call.earlier?.[0]?.output).toEqualTypeOf<{ date: string } | undefined>()
    void call.retry({ args: { min: '2026-03-01' } })
    // @ts-expect-error: that is the other tool
    void call.retry({ args: { title: 'How was it?' } })
    void call.addToolOutput({ date: '2026-03-01' })
    void call.addToolOutput('It was closed.', { isError: true })
    const isError = Math.random() < 0.5
    // @ts-expect-error: it fits only as the reason of a failure
    void call.addToolOutput('It was closed.', { isError })
    // @ts-expect-error: it is date
    void call.addToolOutput({ stars: 5 })
    // @ts-expect-error: that is the other tool
    expectTypeOf(call.output?.stars).toBeNumber()
  }
  expectTypeOf(card).toBeFunction()
})

test('a view and a selector have the types of the tools of their agent', () => {
  const view = (agent: Made) => {
    const { addToolOutput, toolCalls } = useAgent(agent)
    const toolCallId = 'call_1'
    void addToolOutput({ toolCallId, toolName: 'rate', output: { stars: 5 } })
    void addToolOutput({ toolCallId, output: { date: '2026-03-01' } })
    void addToolOutput({ toolCallId, output: 'It was closed.', isError: true })
    // @ts-expect-error: a rating has stars
    void addToolOutput({ toolCallId, toolName: 'rate', output: { date: '2026-03-01' } })
    // @ts-expect-error: there is no such tool
    void addToolOutput({ toolCallId, toolName: 'rat', output: { stars: 5 } })
    const call = toolCalls.get(toolCallId)
    if (call?.toolName === 'rate')
      expectTypeOf(call.output?.stars).toEqualTypeOf<number | undefined>()
    return useAgentSelector(agent, (state) =>
      state.toolCalls.active.map(({ toolName }) => toolName),
    )
  }
  expectTypeOf(view).toBeFunction()
  const any = (agent: Made): AgentView => useAgent(agent)
  // @ts-expect-error: its calls may be of any tools
  const some = (of: AgentView): AgentView<typeof pick> => of
  expectTypeOf([any, some]).toBeArray()
})
