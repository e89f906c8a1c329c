import {
  type AssistantRuntime,
  AssistantRuntimeProvider,
  MessagePrimitive,
  SimpleImageAttachmentAdapter,
  ThreadPrimitive,
  type ToolCallMessagePartComponent,
  useExternalStoreRuntime,
} from '@assistant-ui/react'
import { type Agent, memoryStorage, textOf } from '@offthread/core'
import { breakOff, call, fail, say } from '@offthread/core/testing'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { agentOf } from '../scripted-agent.fixtures.ts'
import { useThreadStore } from './use-thread-store.ts'

// jsdom has no layout.
beforeAll(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  Element.prototype.scrollTo = () => {}
})
afterEach(cleanup)

/** The thread of assistant-ui, with its own parts. `use`: hands its runtime to the test. */
function Page({
  agent,
  use,
}: {
  agent: Agent
  use: (runtime: AssistantRuntime) => void
}): ReactNode {
  const runtime = useExternalStoreRuntime({
    ...useThreadStore(agent),
    adapters: { attachments: new SimpleImageAttachmentAdapter() },
  })
  use(runtime)
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root>
        <main>
          <ThreadPrimitive.Messages components={{ Message }} />
        </main>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  )
}

const Text = ({ text }: { readonly text: string }): ReactNode => <p>{text}</p>

const Fallback: ToolCallMessagePartComponent = ({
  toolName,
  result,
  status,
  approval,
  respondToApproval,
}) => (
  <section>
    [{toolName} {status.type} {String(result ?? '')}]
    {[true, false].map((approved) =>
      approval ? (
        <button
          key={String(approved)}
          type="button"
          onClick={() => void respondToApproval({ approved })}
        >
          {approved ? 'Approve' : 'Deny'}
        </button>
      ) : null,
    )}
  </section>
)

const components = { Text, tools: { Fallback } }

function Message(): ReactNode {
  return (
    <MessagePrimitive.Root>
      <MessagePrimitive.Parts components={components} />
    </MessagePrimitive.Root>
  )
}

function show(agent: Agent) {
  let runtime: AssistantRuntime | undefined
  render(
    <StrictMode>
      <Page agent={agent} use={(one) => (runtime = one)} />
    </StrictMode>,
  )
  const thread = () => {
    if (!runtime) throw new Error('The thread is not shown.')
    return runtime.thread
  }
  const texts = () => [...screen.getByRole('main').children].map(({ textContent }) => textContent)
  return {
    thread,
    texts,
    says: (text: string) =>
      waitFor(() => expect(screen.getByRole('main').textContent).toContain(text)),
    send: (text: string) => act(() => thread().append(text)),
    atRest: () => waitFor(() => expect(thread().getState().isRunning).toBe(false)),
  }
}

const saidTo = (agent: Agent) =>
  agent.getTranscript().flatMap(({ role, content }) => (role === 'user' ? [textOf(content)] : []))

test('[X7] a thread sends, and shows text and calls once, whatever was tried before', async () => {
  const { send, says, texts, atRest } = show(
    agentOf([[say('Let me look. '), call('clock')], [say('It'), breakOff()], [say('It is noon.')]]),
  )

  send('What time is it?')
  await says('It is noon.')
  await atRest()

  expect(texts()).toEqual(['What time is it?', 'Let me look. [clock complete noon]It is noon.'])
})

test('[X7] a thread stops the run, and what was stopped is cancelled', async () => {
  const agent = agentOf([[say('Wait. '), call('endless')], [say('Yes?')]])
  const { thread, send, says, atRest } = show(agent)
  send('Go.')
  await says('[endless running')

  act(() => thread().cancelRun())
  await atRest()

  expect(agent.getState().lastReason).toBe('aborted')
  expect(thread().getState().messages.at(-1)?.status).toEqual({
    type: 'incomplete',
    reason: 'cancelled',
  })
  send('Hello?')
  await says('Yes?')
})

test('[X7] a thread edits and reloads, and leads back to the old branch', async () => {
  const agent = agentOf([[say('One.')], [say('Two.')], [say('Three.')]])
  const { thread, send, says, texts, atRest } = show(agent)
  send('First?')
  await says('One.')
  await atRest()

  act(() => thread().getMessageByIndex(1).reload())
  await says('Two.')
  await atRest()
  expect(texts()).toEqual(['First?', 'Two.'])
  expect(thread().getMessageByIndex(1).getState()).toMatchObject({
    branchNumber: 2,
    branchCount: 2,
  })

  const { composer } = thread().getMessageByIndex(0)
  act(() => composer.beginEdit())
  act(() => composer.setText('In other words?'))
  act(() => composer.send())
  await says('Three.')
  await atRest()
  expect(texts()).toEqual(['In other words?', 'Three.'])

  act(() => thread().getMessageByIndex(0).switchToBranch({ position: 'previous' }))
  await says('Two.')
  expect(saidTo(agent)).toEqual(['First?'])
  act(() => thread().getMessageByIndex(1).switchToBranch({ position: 'previous' }))
  await says('One.')
  expect(agent.getState().messages.map(({ content }) => textOf(content))).toEqual([
    'First?',
    'One.',
  ])
})

test.each(['wait', 'pause'] as const)(
  '[X7] a thread approves and denies (approvals %s)',
  async (approvalMode) => {
    const agent = agentOf(
      [[call('remove')], [say('It is gone.'), call('remove')], [say('It stays.')]],
      { approvalMode },
    )
    const { send, says, texts, atRest } = show(agent)
    send('Clean up.')
    await says('[remove requires-action')

    act(() => screen.getByRole('button', { name: 'Approve' }).click())
    await says('It is gone.')
    await says('Deny')
    act(() => screen.getByRole('button', { name: 'Deny' }).click())
    await says('It stays.')
    await atRest()

    expect(texts()[1]).toContain('[remove complete Removed.]It is gone.')
    expect(texts()[1]).toContain('The user did not allow this call.')
  },
)

test('[X7] a call that the page answers has the arguments that a hook gave', async () => {
  const hooks = { beforeToolCall: () => ({ args: { day: 'today' } }) }
  const { thread, send, says } = show(agentOf([[call('pick')], [say('Never.')]], { hooks }))
  send('When?')
  await says('[pick requires-action')

  const shown = thread().getState().messages.at(-1)?.content
  expect(shown).toMatchObject([{ type: 'tool-call', argsText: '{"day":"today"}' }])
})

test('[X7] the page answers a call of its own in a thread', async () => {
  const { thread, send, says } = show(agentOf([[call('pick')], [say('Monday it is.')]]))
  send('When?')
  await says('[pick requires-action')

  const message = thread().getMessageByIndex(1)
  const part = message.getState().content.findIndex(({ type }) => type === 'tool-call')
  act(() => message.getMessagePartByIndex(part).addToolResult('Monday'))

  await says('Monday it is.')
})

test('[X7] a run that fails is the error of its message, and an image reaches the agent', async () => {
  const agent = agentOf([[fail('auth', 'The key is wrong.')]])
  const { thread, atRest } = show(agent)
  const image = new File([new Uint8Array([1, 2, 3])], 'a.png', { type: 'image/png' })
  await act(() => thread().composer.addAttachment(image))
  act(() => thread().composer.setText('Look.'))
  act(() => thread().composer.send())
  await waitFor(() => expect(agent.getState().error?.message).toBe('The key is wrong.'))
  await atRest()

  expect(agent.getState().messages[0]?.content).toEqual([
    { type: 'image', mediaType: 'image/png', data: 'AQID' },
    { type: 'text', text: 'Look.' },
  ])
  expect(thread().getState().messages.at(-1)?.status).toEqual({
    type: 'incomplete',
    reason: 'error',
    error: 'The key is wrong.',
  })
})

test('[X7] a thread that is shown later has the history and the calls that run', async () => {
  const storage = memoryStorage()
  const options = { storage, sessionId: 'one' }
  const first = agentOf([[say('One.')]], options)
  await first.prompt('First?')
  first.dispose()
  await first.stored()
  const agent = agentOf([[say('Wait. '), call('remove')], [say('Done.')]], options)
  await agent.ready
  const run = agent.prompt('Second?')
  await waitFor(() => expect(agent.getState().status).toBe('awaiting_approval'))

  const { says, texts } = show(agent)
  expect(texts()).toEqual([
    ...['First?', 'One.', 'Second?'],
    expect.stringContaining('Wait. [remove requires-action'),
  ])
  act(() => screen.getByRole('button', { name: 'Approve' }).click())
  await says('Done.')
  expect(await run).toMatchObject({ reason: 'stop' })
  agent.dispose()
})
