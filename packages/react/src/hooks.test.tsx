import { type AgentState, agentTool, memoryStorage } from '@offthread/core'
import { call, fakeClock, fakeWorkers, say, scriptedModel } from '@offthread/core/testing'
import { cleanup, render, renderHook } from '@testing-library/react'
import { memo, StrictMode, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import {
  answer,
  calls,
  createPlayedAgent,
  doing,
  type PlayedAgent,
  stopped,
  streaming,
  textDelta,
  textEnd,
  textStart,
  workerTool,
} from './agents.fixtures.ts'
import { useAgent } from './use-agent.ts'
import { useAgentSelector } from './use-agent-selector.ts'
import { useToolCall } from './use-tool-call.ts'

afterEach(cleanup)

test('shows a run from the prompt to the answer', async () => {
  const played = createPlayedAgent()
  const { result } = renderHook(() => useAgent(played.agent))
  expect(result.current).toMatchObject({ status: 'ready', messages: [], error: null })

  const sent = await doing(() => result.current.sendMessage('Hi.'))
  expect(result.current).toMatchObject({
    status: 'submitted',
    messages: [{ role: 'user' }, { role: 'assistant', content: [] }],
  })
  await streaming(played, textStart, textDelta('Hel'))
  expect(result.current).toMatchObject({
    status: 'streaming',
    messages: [{ role: 'user' }, { role: 'assistant', content: [{ text: 'Hel' }] }],
  })
  await streaming(played, textDelta('lo.'), textEnd, stopped)

  expect(result.current).toMatchObject({
    status: 'ready',
    lastReason: 'stop',
    messages: [{ role: 'user' }, { content: [{ text: 'Hello.' }] }],
  })
  expect(await sent()).toMatchObject({ reason: 'stop', text: 'Hello.' })
})

test('stops a run, also as a click handler', async () => {
  const played = createPlayedAgent()
  const { result } = renderHook(() => useAgent(played.agent))
  const sent = await doing(() => result.current.sendMessage('Hi.'))
  const handler: (event: unknown) => void = result.current.stop
  const requests: object[] = []
  played.agent.subscribe((event) => {
    if (event.type === 'abort_requested') requests.push(event)
  })

  await doing(() => handler({ type: 'click' }))

  expect(await sent()).toMatchObject({ reason: 'aborted' })
  expect(result.current).toMatchObject({ status: 'ready', lastReason: 'aborted' })
  expect(requests).toHaveLength(1)
  expect(requests[0]).not.toHaveProperty('reason')
})

test('a failed run shows its error until the next one starts', async () => {
  const played = createPlayedAgent(['work'], { retry: null })
  const { result } = renderHook(() => useAgent(played.agent))
  await doing(() => result.current.sendMessage('Hi.'))

  await streaming(played, textDelta('garbled'))
  expect(result.current).toMatchObject({ status: 'error', error: { kind: 'protocol' } })
  await doing(() => result.current.sendMessage('Again.'))

  expect(result.current).toMatchObject({ status: 'submitted', error: null })
})

test('a message sent while a run is active is queued, and delivered when the run would end', async () => {
  const played = createPlayedAgent()
  const { result } = renderHook(() => useAgent(played.agent))
  const sent = await doing(() => result.current.sendMessage('Hi.'))

  const second = await doing(() => result.current.sendMessage('And?'))
  expect(await second()).toBeNull()
  expect(result.current.queues.followUp).toEqual([[{ type: 'text', text: 'And?' }]])

  await streaming(played, textStart, textDelta('Yes.'), textEnd, stopped)
  expect(result.current).toMatchObject({
    status: 'submitted',
    queues: { followUp: [] },
    messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }, { role: 'assistant' }],
  })
  await streaming(played, textStart, textDelta('Done.'), textEnd, stopped)
  expect(await sent()).toMatchObject({ reason: 'stop', text: 'Done.' })
})

test('a call that needs approval is approved with the arguments that are shown', async () => {
  const hooks = { beforeToolCall: () => ({ requireApproval: true }) }
  const played = createPlayedAgent(['work'], { hooks })
  const view = renderHook(() => useAgent(played.agent))
  const card = renderHook(() => useToolCall(played.agent, 'call_1'))
  await doing(() => view.result.current.sendMessage('Hi.'))
  await streaming(played, ...calls('work'))
  expect(card.result.current).toMatchObject({ status: 'awaiting_approval', approval: { args: {} } })

  const misread = Object.assign({ approved: true } as const, { approved: 'yes' })
  expect(() => card.result.current?.addToolApprovalResponse(misread)).toThrow(
    'Answer { approved: true }',
  )
  await doing(() => card.result.current?.addToolApprovalResponse({ approved: true }))

  expect(card.result.current).toMatchObject({ status: 'starting' })
  expect(() => card.result.current?.addToolApprovalResponse({ approved: false })).toThrow(
    'does not wait for an approval',
  )
})

test('a denied call gives the model the reason', async () => {
  const hooks = { beforeToolCall: () => ({ requireApproval: true }) }
  const played = createPlayedAgent(['work'], { hooks })
  const view = renderHook(() => useAgent(played.agent))
  const card = renderHook(() => useToolCall(played.agent, 'call_1'))
  await doing(() => view.result.current.sendMessage('Hi.'))
  await streaming(played, ...calls('work'))

  await doing(() =>
    view.result.current.addToolApprovalResponse({
      toolCallId: 'call_1',
      approved: false,
      reason: 'Not today.',
    }),
  )

  expect(card.result.current).toMatchObject({
    status: 'denied',
    result: {
      content: [{ text: 'The user did not allow this call. Not today. It did not run.' }],
    },
  })
})

test('an approval is for the arguments that its digest names', async () => {
  const hooks = { beforeToolCall: () => ({ requireApproval: true }) }
  const played = createPlayedAgent(['work'], { hooks })
  const { result } = renderHook(() => useAgent(played.agent))
  await doing(() => result.current.sendMessage('Hi.'))
  await streaming(played, ...calls('work'))
  const { approval } = result.current.toolCalls.get('call_1') ?? {}
  const answer = { toolCallId: 'call_1', approved: true } as const

  expect(() => result.current.addToolApprovalResponse({ ...answer, argsDigest: 'older' })).toThrow(
    'is for other arguments',
  )
  await doing(() =>
    result.current.addToolApprovalResponse({ ...answer, argsDigest: approval?.argsDigest ?? '' }),
  )

  expect(result.current.toolCalls.get('call_1')).toMatchObject({ status: 'starting' })
})

test('a call of a sub-agent has a card, on which it can be approved, followed and cancelled', async () => {
  const host = fakeWorkers([workerTool('look')], { clock: fakeClock() })
  const model = scriptedModel([call('look')], [say('Because.')])
  const research = agentTool({
    name: 'research',
    description: 'Looks something up.',
    inputSchema: workerTool('research').inputSchema,
    prompt: () => 'Why?',
    agent: { model, tools: host, hooks: { beforeToolCall: () => ({ requireApproval: true }) } },
  })
  const played = createPlayedAgent([], { tools: research })
  const view = renderHook(() => useAgent(played.agent))
  await doing(() => view.result.current.sendMessage('Hi.'))
  await streaming(played, ...calls('research'))
  const outer = renderHook(() => useToolCall(played.agent, 'call_1'))
  const [inside = ''] = outer.result.current?.children ?? []
  const card = renderHook(() => useToolCall(played.agent, inside))
  expect(view.result.current.status).toBe('awaiting_approval')
  expect(card.result.current).toMatchObject({
    toolName: 'look',
    status: 'awaiting_approval',
    parentToolCallId: 'call_1',
  })

  await doing(() => card.result.current?.addToolApprovalResponse({ approved: true }))
  expect(card.result.current).toMatchObject({ status: 'starting' })
  expect(view.result.current.status).toBe('running_tools')
  const before = outer.result.current
  await doing(() => host.worker('look').begin())
  expect(card.result.current).toMatchObject({ status: 'running' })
  expect(outer.result.current).toBe(before)

  await doing(() => expect(card.result.current?.cancel()).toBe(true))
  expect(card.result.current).toMatchObject({ status: 'cancelling' })
  expect(outer.result.current).toMatchObject({ status: 'running' })
  await doing(() => host.worker('look').answer('too late'))
  expect(outer.result.current).toMatchObject({ status: 'succeeded' })
})

test('messages sent while the session is loaded are delivered after it, in order', async () => {
  let read = () => {}
  const reading = new Promise<void>((resolve) => (read = resolve))
  const stored = memoryStorage()
  const storage = {
    ...stored,
    read: async (sessionId: string) => {
      await reading
      return stored.read(sessionId)
    },
  }
  const played = createPlayedAgent(['work'], { storage, sessionId: 'one' })
  const { result } = renderHook(() => useAgent(played.agent))
  const first = await doing(() => result.current.sendMessage('One.'))
  const second = await doing(() => result.current.sendMessage('Two.'))
  expect(result.current.messages).toEqual([])

  await doing(() => read())
  await streaming(played, ...answer('To one.'))
  await streaming(played, ...answer('To two.'))

  expect(await first()).toMatchObject({ reason: 'stop', text: 'To two.' })
  expect(await second()).toBeNull()
  expect(result.current.messages).toMatchObject([
    { content: [{ text: 'One.' }] },
    { content: [{ text: 'To one.' }] },
    { content: [{ text: 'Two.' }] },
    { content: [{ text: 'To two.' }] },
  ])
})

test('a message sent before a session continues by itself is queued', async () => {
  const storage = memoryStorage()
  const options = { toolMode: 'manual', storage, sessionId: 'one' } as const
  const earlier = createPlayedAgent(['work'], options)
  await doing(() => earlier.agent.prompt('One.'))
  await doing(() => earlier.stream(...calls('work')))
  await earlier.agent.addToolResult('call_1', 'by hand')
  earlier.agent.dispose()

  const later = createPlayedAgent(['work'], { ...options, toolMode: 'auto' })
  const { result } = renderHook(() => useAgent(later.agent))
  const sent = await doing(() => result.current.sendMessage('Two.'))
  expect(await sent()).toBeNull()
  await streaming(later, ...answer('To one.'))
  await streaming(later, ...answer('To two.'))

  expect(result.current.messages.slice(-3)).toMatchObject([
    { content: [{ text: 'To one.' }] },
    { content: [{ text: 'Two.' }] },
    { content: [{ text: 'To two.' }] },
  ])
})

test('in manual mode the page answers calls, and continues the run', async () => {
  const played = createPlayedAgent(['work'], { toolMode: 'manual' })
  const { result } = renderHook(() => useAgent(played.agent))
  await doing(() => result.current.sendMessage('Hi.'))
  await streaming(played, ...calls('work'))
  expect(result.current.status).toBe('awaiting_tool_results')

  await doing(() => result.current.addToolOutput({ toolCallId: 'call_1', output: 'by hand' }))
  await doing(() => result.current.continue())

  expect(result.current.toolCalls.get('call_1')).toMatchObject({
    status: 'succeeded',
    result: { content: [{ text: 'by hand' }] },
  })
})

test('commands and an unchanged state keep their identity', async () => {
  const played = createPlayedAgent()
  const { result, rerender } = renderHook(() => useAgent(played.agent))
  const first = result.current
  rerender()
  expect(result.current).toBe(first)

  await doing(() => result.current.sendMessage('Hi.'))

  expect(result.current).not.toBe(first)
  expect(result.current.stop).toBe(first.stop)
  expect(result.current.sendMessage).toBe(first.sendMessage)
})

test('works in StrictMode: one prompt is one run, and nothing is left when it unmounts', async () => {
  const played = createPlayedAgent()
  const starts = vi.fn()
  played.agent.subscribe((event) => {
    if (event.type === 'agent_start') starts()
  })
  const { result, unmount } = renderHook(() => useAgent(played.agent), { wrapper: StrictMode })

  await doing(() => result.current.sendMessage('Hi.'))
  await streaming(played, ...answer('Hello.'))

  expect(result.current).toMatchObject({ status: 'ready', messages: [{}, {}] })
  expect(starts).toHaveBeenCalledTimes(1)
  unmount()
  expect(played.followers()).toBe(0)
})

test('unmounting stops nothing, and a remount in the middle of a run shows all of it', async () => {
  const played = createPlayedAgent()
  const first = renderHook(() => useAgent(played.agent))
  const sent = await doing(() => first.result.current.sendMessage('Hi.'))
  await streaming(played, textStart, textDelta('Be'))

  first.unmount()
  expect(played.followers()).toBe(0)
  await streaming(played, textDelta('fore'))
  const second = renderHook(() => useAgent(played.agent))
  expect(second.result.current).toMatchObject({
    status: 'streaming',
    messages: [{}, { content: [{ text: 'Before' }] }],
  })
  await streaming(played, textDelta(', after.'), textEnd, stopped)

  expect(second.result.current.messages).toMatchObject([
    {},
    { content: [{ text: 'Before, after.' }] },
  ])
  expect(await sent()).toMatchObject({ reason: 'stop', text: 'Before, after.' })
})

test('several agents on one page do not mix', async () => {
  const [left, right] = [createPlayedAgent(), createPlayedAgent()]
  const { result } = renderHook(() => [useAgent(left.agent), useAgent(right.agent)] as const)

  await doing(() => result.current[0].sendMessage('Left.'))
  await doing(() => result.current[1].sendMessage('Right.'))
  await streaming(right, ...answer('From the right.'))

  expect(result.current).toMatchObject([
    { status: 'submitted', messages: [{ content: [{ text: 'Left.' }] }, { content: [] }] },
    { status: 'ready', messages: [{}, { content: [{ text: 'From the right.' }] }] },
  ])
})

test('another agent in the same place is shown at once, and the old one is left', async () => {
  const [old, other] = [createPlayedAgent(), createPlayedAgent()]
  await doing(() => other.agent.prompt('Other.'))
  const { result, rerender } = renderHook(({ agent }) => useAgent(agent), {
    initialProps: { agent: old.agent },
  })

  rerender({ agent: other.agent })

  expect(result.current.messages).toMatchObject([{ content: [{ text: 'Other.' }] }, {}])
  expect([old.followers(), other.followers()]).toEqual([0, 1])
  result.current.stop()
  await doing(() => {})
  expect(result.current.lastReason).toBe('aborted')
})

test('a selector renders only when what it selects changes', async () => {
  const played = createPlayedAgent()
  let renders = 0
  const { result } = renderHook(() => {
    renders += 1
    return useAgentSelector(played.agent, (state) => state.status)
  })
  await doing(() => played.agent.prompt('Hi.'))
  await streaming(played, textStart)
  const before = renders

  for (const word of ['a', 'b', 'c', 'd']) await streaming(played, textDelta(word))

  expect(result.current).toBe('streaming')
  expect(renders).toBe(before)
})

test('an equality keeps an equal value, also for a selector that makes a new one each time', async () => {
  const played = createPlayedAgent()
  const seen = new Set<readonly string[]>()
  const roles = (state: AgentState) => state.messages.map(({ role }) => role)
  const sameText = (a: readonly string[], b: readonly string[]) => String(a) === String(b)
  const { result } = renderHook(() => {
    const selected = useAgentSelector(played.agent, (state) => roles(state), sameText)
    seen.add(selected)
    return selected
  })

  await doing(() => played.agent.prompt('Hi.'))
  await streaming(played, ...answer('One.'))
  await doing(() => played.agent.prompt('Again.'))
  await streaming(played, ...answer('Two.'))

  expect(result.current).toEqual(['user', 'assistant', 'user', 'assistant'])
  expect([...seen].map(String)).toEqual([...new Set([...seen].map(String))])
})

test('a selector that closes over a prop follows the prop', async () => {
  const played = createPlayedAgent()
  await doing(() => played.agent.prompt('Hi.'))
  await streaming(played, ...answer('Hello.'))
  const { result, rerender } = renderHook(
    ({ index }) => useAgentSelector(played.agent, (state) => state.messages[index]?.role),
    { initialProps: { index: 0 } },
  )

  rerender({ index: 1 })

  expect(result.current).toBe('assistant')
})

test('a tool call is followed from its first delta to its end', async () => {
  const played = createPlayedAgent()
  const { result } = renderHook(() => useToolCall(played.agent, 'call_1'))
  expect(result.current).toBeUndefined()
  await doing(() => played.agent.prompt('Hi.'))

  await streaming(played, { type: 'toolcall_start', contentIndex: 0, toolName: 'work' })
  expect(result.current).toMatchObject({ status: 'input_streaming', hasEnded: false })
  await streaming(played, { type: 'toolcall_end', contentIndex: 0 }, ...calls().slice(-1))
  expect(result.current).toMatchObject({ status: 'starting', label: 'Label of work' })
  const worker = played.host.worker('work')
  await doing(() => worker.begin())
  await doing(() => worker.progress(50))
  played.clock.advance(0)
  expect(result.current).toMatchObject({ status: 'running', progress: { value: 50, total: 100 } })
  await doing(() => worker.answer('Done.'))

  expect(result.current).toMatchObject({
    status: 'succeeded',
    hasEnded: true,
    result: { content: [{ text: 'Done.' }] },
  })
})

test('cancels its own call only, and returns whether there was something to cancel', async () => {
  const played = createPlayedAgent(['one', 'two'])
  const { result } = renderHook(() => [
    useToolCall(played.agent, 'call_1'),
    useToolCall(played.agent, 'call_2'),
  ])
  await doing(() => played.agent.prompt('Hi.'))
  await streaming(played, ...calls('one', 'two'))

  await doing(() => expect(result.current[0]?.cancel()).toBe(true))
  expect(result.current.map((one) => one?.status)).toEqual(['cancelling', 'starting'])
  expect(result.current[0]?.cancel()).toBe(false)
  await doing(() => played.clock.advance(250))

  expect(result.current.map((one) => one?.status)).toEqual(['cancelled', 'starting'])
})

test('a call of a failed answer does not count as a call', async () => {
  const played = createPlayedAgent()
  const { result } = renderHook(() => useToolCall(played.agent, 'call_1'))
  await doing(() => played.agent.prompt('Hi.'))
  await streaming(played, { type: 'toolcall_start', contentIndex: 0, toolName: 'work' })

  await streaming(played, { type: 'toolcall_start', contentIndex: 7, toolName: 'work' })

  expect(result.current).toBeUndefined()
})

test('messages and cards that did not change do not render', async () => {
  const played = createPlayedAgent()
  await doing(() => played.agent.prompt('First.'))
  await streaming(played, ...calls('work'))
  await doing(() => played.host.worker('work').answer('Done.'))
  await streaming(played, ...answer('One.'))
  const rendered: string[] = []
  render(<Chat played={played} onRender={(id) => rendered.push(id)} />)
  await doing(() => played.agent.prompt('Second.'))
  await streaming(played, textStart)
  rendered.length = 0

  for (let i = 0; i < 50; i++) await streaming(played, textDelta('word '))

  expect(new Set(rendered)).toEqual(new Set(['msg_6']))
  expect(rendered).toHaveLength(50)
})

test('[I20] nothing that is shown stays active after a run was stopped', async () => {
  const played = createPlayedAgent(['one', 'two'])
  const { result } = renderHook(() => useAgent(played.agent))
  await doing(() => result.current.sendMessage('Hi.'))
  await streaming(played, ...calls('one', 'two'))
  await doing(() => played.host.worker('one').begin())

  await doing(() => result.current.stop())
  expect(result.current.status).toBe('stopping')
  await doing(() => played.clock.advance(250))

  expect(result.current).toMatchObject({ status: 'ready', toolCalls: { active: [] } })
  expect(result.current.toolCalls.get('call_1')).toMatchObject({
    status: 'cancelled',
    how: 'terminated',
  })
  expect(result.current.toolCalls.get('call_2')).toMatchObject({ status: 'cancelled' })
})

interface ChatProps {
  readonly played: PlayedAgent
  readonly onRender: (id: string) => void
}

function Chat({ played, onRender }: ChatProps) {
  const { messages } = useAgent(played.agent)
  const [report] = useState(() => onRender)
  return messages.map((message) => (
    <Line key={message.id} message={message} played={played} onRender={report} />
  ))
}

interface LineProps extends ChatProps {
  readonly message: AgentState['messages'][number]
}

const Line = memo(function Line({ message, played, onRender }: LineProps) {
  onRender(message.id)
  return message.content.map((part) =>
    part.type === 'toolCall' ? (
      <Card key={part.toolCallId} id={part.toolCallId} played={played} onRender={onRender} />
    ) : null,
  )
})

const Card = memo(function Card({ id, played, onRender }: ChatProps & { readonly id: string }) {
  const shown = useToolCall(played.agent, id)
  onRender(id)
  return <p>{shown?.status}</p>
})
