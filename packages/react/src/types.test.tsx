import type { Agent, AgentState, RunResult, RunStatus, ToolCallStatus } from '@offthread/core'
import { expectTypeOf, test } from 'vitest'
import type { AgentView, ToolCallCard } from './index.ts'
import { useAgent, useAgentSelector, useElapsed, useToolCall } from './index.ts'

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

test('a view has the state and the commands', () => {
  expectTypeOf(useAgent).returns.toEqualTypeOf<AgentView>()
  expectTypeOf<AgentView['sendMessage']>().returns.toEqualTypeOf<Promise<RunResult | null>>()
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
  expectTypeOf(useToolCall).returns.toEqualTypeOf<ToolCallCard | undefined>()
  expectTypeOf<ToolCallCard['status']>().toEqualTypeOf<ToolCallStatus>()
  expectTypeOf<ToolCallCard['cancel']>().returns.toBeBoolean()
  // @ts-expect-error: as a click handler it would take the event for arguments
  const button = (card: ToolCallCard) => <button type="button" onClick={card.approve} />
  expectTypeOf(button).toBeFunction()
})

test('the clock of a card goes on any element', () => {
  const clock = () => <time ref={useElapsed(1, 2)} />
  expectTypeOf(clock).toBeFunction()
})
