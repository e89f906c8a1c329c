import { AgentBusyError, textOf } from '@offthread/core'
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { answer, createPlayedAgent, doing, type PlayedAgent, streaming } from './agents.fixtures.ts'
import { useAgent } from './use-agent.ts'
import { useMessage } from './use-message.ts'

afterEach(cleanup)

test('an edited question is another branch, and each can be shown', async () => {
  const played = createPlayedAgent()
  const { result } = renderHook(() => useAgent(played.agent))
  await say(played, 'Frist?', 'One.')

  await doing(() => result.current.edit('msg_1', 'First?'))
  await streaming(played, ...answer('Two.'))
  expect(shownIn(result.current)).toEqual(['First?', 'Two.'])

  await doing(() => result.current.selectBranch('msg_1'))
  expect(shownIn(result.current)).toEqual(['Frist?', 'One.'])
  await doing(() => result.current.selectBranch('msg_3'))
  expect(shownIn(result.current)).toEqual(['First?', 'Two.'])
})

test('an edit that is refused changes nothing', async () => {
  const played = createPlayedAgent()
  const { result } = renderHook(() => useAgent(played.agent))
  await say(played, 'First?', 'One.')
  const { edit } = result.current

  await expect(edit('msg_2', 'Not mine.')).rejects.toThrow('No message msg_2 of the user')
  await expect(edit('msg_1', '')).rejects.toThrow('The prompt is empty')
  await doing(() => result.current.sendMessage('More?'))
  await expect(edit('msg_1', 'Now?')).rejects.toThrow(AgentBusyError)

  expect(result.current.branches.tips).toEqual([])
})

test('a cleared conversation is empty, its queues too, and the way back is a branch', async () => {
  const played = createPlayedAgent()
  const { result } = renderHook(() => useAgent(played.agent))
  await say(played, 'First?', 'One.')
  await doing(() => result.current.steer('Waiting.'))

  await doing(() => result.current.clear())

  expect(result.current).toMatchObject({ messages: [], queues: { steering: [] } })
  const [tip = ''] = result.current.branches.tips
  await doing(() => result.current.selectBranch(tip))
  expect(shownIn(result.current)).toEqual(['First?', 'One.'])
  await doing(() => result.current.sendMessage('More?'))
  expect(() => result.current.clear()).toThrow(AgentBusyError)
})

test('a message says which of how many it is, and leads to the others', async () => {
  const played = createPlayedAgent()
  const view = renderHook(() => useAgent(played.agent))
  const { result, rerender } = renderHook(({ id }) => useMessage(played.agent, id), {
    initialProps: { id: 'msg_1' },
  })
  expect(result.current).toBeUndefined()
  await say(played, 'First?', 'One.')
  expect(result.current).toMatchObject({ id: 'msg_1', branchCount: 1, branchIndex: 0 })

  await doing(() => result.current?.edit('Second?'))
  await streaming(played, ...answer('Two.'))
  expect(result.current).toBeUndefined()
  rerender({ id: 'msg_3' })
  expect(result.current).toMatchObject({ role: 'user', branchCount: 2, branchIndex: 1 })

  await doing(() => result.current?.selectBranch(2))
  expect(shownIn(view.result.current)).toEqual(['Second?', 'Two.'])
  await doing(() => result.current?.selectBranch(0))
  expect(shownIn(view.result.current)).toEqual(['First?', 'One.'])
})

test('a message says how its run ended', async () => {
  const played = createPlayedAgent()
  const { result } = renderHook(() => useMessage(played.agent, 'msg_2'))
  await doing(() => played.agent.prompt('Hi.'))
  expect(result.current).toMatchObject({ role: 'assistant', end: undefined })

  await streaming(played, ...answer('Hello.'))

  expect(result.current).toMatchObject({ stopReason: 'stop', end: { reason: 'stop', turns: 1 } })
})

test('a message renders when it changes, not when others do', async () => {
  const played = createPlayedAgent()
  await say(played, 'First?', 'One.')
  await doing(() => played.agent.regenerate())
  await streaming(played, ...answer('Other.'))
  let renders = 0
  const { result } = renderHook(() => {
    renders += 1
    return useMessage(played.agent, 'msg_3')
  })
  expect(result.current).toMatchObject({ branchCount: 2, branchIndex: 1 })
  const before = renders

  await say(played, 'Second?', 'Two.')

  expect(renders).toBe(before)
})

async function say(played: PlayedAgent, question: string, reply: string): Promise<void> {
  await doing(() => played.agent.prompt(question))
  await streaming(played, ...answer(reply))
}

function shownIn({ messages }: ReturnType<typeof useAgent>): readonly string[] {
  return messages.map(({ content }) => textOf(content))
}
