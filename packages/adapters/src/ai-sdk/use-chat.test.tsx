import { Chat, type UIMessage, useChat } from '@ai-sdk/react'
import { type Agent, defineTool, implement, inPage, memoryStorage, textOf } from '@offthread/core'
import { breakOff, call, fail, hold, say, transcriptProblems } from '@offthread/core/testing'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import {
  type ChatTransport,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  validateUIMessages,
} from 'ai'
import { type ReactNode, StrictMode, useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { agentOf } from '../scripted-agent.fixtures.ts'
import { createChatTransport } from './chat-transport.ts'
import { fromUIMessages } from './from-ui-messages.ts'
import { toUIMessages } from './to-ui-messages.ts'

afterEach(cleanup)

interface PageProps {
  readonly transport: ChatTransport<UIMessage>
  readonly messages?: UIMessage[]
  readonly resume?: boolean
}

/** A page as the documents of the AI SDK have it: nothing in it depends on an agent. */
function Page({ transport, messages: initial = [], resume = false }: PageProps): ReactNode {
  const [input, setInput] = useState('')
  const { messages, sendMessage, status, stop, error, regenerate, ...chat } = useChat({
    transport,
    messages: initial,
    resume,
    sendAutomaticallyWhen: (options) =>
      lastAssistantMessageIsCompleteWithApprovalResponses(options) ||
      lastAssistantMessageIsCompleteWithToolCalls(options),
  })
  return (
    <main data-status={status}>
      {messages.map((message) => (
        <article key={message.id}>
          {message.role === 'user' ? 'User: ' : 'AI: '}
          {message.parts.map((part, index) => {
            const key = `${message.id}-${index}`
            if (part.type === 'text') return <p key={key}>{part.text}</p>
            if (part.type === 'tool-pick') {
              return part.state === 'input-available' ? (
                <button
                  key={key}
                  type="button"
                  onClick={() => {
                    const { toolCallId } = part
                    void chat.addToolOutput({ tool: 'pick', toolCallId, output: 'Monday' })
                  }}
                >
                  Monday
                </button>
              ) : null
            }
            if (!isToolUIPart(part)) return null
            const { approval, state, output, errorText } = part
            return (
              <section key={key}>
                [{part.type} {state} {String(output ?? errorText ?? '')}]
                {state === 'approval-requested' &&
                  approval &&
                  [true, false].map((approved) => (
                    <button
                      key={String(approved)}
                      type="button"
                      onClick={() =>
                        void chat.addToolApprovalResponse({ id: approval.id, approved })
                      }
                    >
                      {approved ? 'Approve' : 'Deny'}
                    </button>
                  ))}
              </section>
            )
          })}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void sendMessage({ text: input })
          setInput('')
        }}
      >
        <input value={input} onChange={({ target }) => setInput(target.value)} />
        <button type="submit">Send</button>
      </form>
      <button type="button" onClick={() => void stop()}>
        Stop
      </button>
      <button type="button" onClick={() => void regenerate()}>
        Regenerate
      </button>
      <button
        type="button"
        onClick={() => {
          const first = messages.find(({ role }) => role === 'user')
          if (first) void sendMessage({ text: 'In other words?', messageId: first.id })
        }}
      >
        Edit
      </button>
    </main>
  )
}

function show(agent: Agent, props: Omit<PageProps, 'transport'> = {}) {
  render(<Page transport={createChatTransport(agent)} {...props} />)
}

function send(text: string): void {
  fireEvent.change(screen.getByRole('textbox'), { target: { value: text } })
  press('Send')
}

const press = (name: string): void => {
  fireEvent.click(screen.getByRole('button', { name }))
}
const pageHas = (text: string) => waitFor(() => expect(pageText()).toContain(text))
const pageText = () => screen.getByRole('main').textContent ?? ''
const statusIs = (status: string) =>
  waitFor(() => expect(screen.getByRole('main').dataset['status']).toBe(status))
const answers = () => screen.getAllByRole('article').map(({ textContent }) => textContent)
const saidTo = (agent: Agent) =>
  agent.getTranscript().flatMap(({ role, content }) => (role === 'user' ? [textOf(content)] : []))

test('[X2] useChat shows text and calls of an agent, with their results', async () => {
  const agent = agentOf([
    [say('Let me look. '), call('clock'), call('broken')],
    [say('It is noon.')],
  ])
  show(agent)

  send('What time is it?')
  await pageHas('It is noon.')
  await statusIs('ready')

  expect(answers()).toEqual([
    'User: What time is it?',
    'AI: Let me look. [tool-clock output-available noon][tool-broken output-error It broke.]It is noon.',
  ])
  await validateUIMessages({ messages: toUIMessages(agent.getState()) })
})

test('[X2] an answer that another attempt replaces is not shown twice', async () => {
  show(agentOf([[say('Hel'), call('clock'), breakOff()], [say('Hello.')]]))

  send('Hi.')
  await pageHas('Hello.')
  await statusIs('ready')

  expect(answers()).toEqual(['User: Hi.', 'AI: Hello.'])
})

test('[X3] stop() stops the run with its calls, and the next message is answered', async () => {
  const agent = agentOf([[say('Wait. '), call('endless')], [say('Yes?')]])
  show(agent)
  send('Go.')
  await pageHas('[tool-endless input-available')

  press('Stop')
  send('Hello?')

  await pageHas('Yes?')
  await statusIs('ready')
  expect(agent.getState().toolCalls.get('call_1')?.status).toBe(undefined)
  expect(agent.getTranscript().map(({ role }) => role)).toEqual([
    ...['user', 'assistant', 'toolResult', 'user', 'assistant'],
  ])
})

test('[X3] what is regenerated or edited leaves the old answer on a branch', async () => {
  const agent = agentOf([[say('One.')], [say('Two.')], [say('Three.')], [say('Four.')]])
  show(agent)
  send('First?')
  await pageHas('One.')
  await statusIs('ready')
  send('Second?')
  await pageHas('Two.')
  await statusIs('ready')

  press('Regenerate')
  await pageHas('Three.')
  await statusIs('ready')
  expect(answers()).toEqual(['User: First?', 'AI: One.', 'User: Second?', 'AI: Three.'])
  expect(saidTo(agent)).toEqual(['First?', 'Second?'])

  press('Edit')
  await pageHas('Four.')
  await statusIs('ready')
  expect(answers()).toEqual(['User: In other words?', 'AI: Four.'])
  expect(saidTo(agent)).toEqual(['In other words?'])
  expect(agent.getState().branches.tips).toHaveLength(2)
})

test.each(['wait', 'pause'] as const)(
  '[X4] a call is approved or denied in the chat (approvals %s)',
  async (approvalMode) => {
    const agent = agentOf(
      [[call('remove')], [say('It is gone.'), call('remove')], [say('It stays.')]],
      { approvalMode },
    )
    show(agent)
    send('Clean up.')
    await pageHas('[tool-remove approval-requested')
    await statusIs('ready')

    press('Approve')
    await pageHas('It is gone.')
    await pageHas('approval-requested')
    await statusIs('ready')
    press('Deny')
    await pageHas('It stays.')
    await statusIs('ready')

    expect(answers()).toEqual([
      'User: Clean up.',
      'AI: [tool-remove output-available Removed.]It is gone.[tool-remove output-denied ]It stays.',
    ])
    await validateUIMessages({ messages: toUIMessages(agent.getState()) })
  },
)

test.each(['wait', 'pause'] as const)(
  '[X4] a message in place of an approval gives the call up (approvals %s)',
  async (approvalMode) => {
    const agent = agentOf([[call('remove')], [say('As you like.')]], { approvalMode })
    show(agent)
    send('Clean up.')
    await pageHas('approval-requested')
    await statusIs('ready')

    send('Never mind.')
    await pageHas('As you like.')

    expect(agent.getTranscript().map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'toolResult', 'user', 'assistant'],
    ])
  },
)

test.each(['auto', 'manual'] as const)(
  '[X4] the page answers a call of its own (tools %s)',
  async (toolMode) => {
    show(agentOf([[call('pick')], [say('Monday it is.')]], { toolMode }))
    send('When?')
    await pageHas('Monday')
    await statusIs('ready')

    press('Monday')
    await pageHas('Monday it is.')
    await statusIs('ready')
    expect(answers()).toEqual(['User: When?', 'AI: Monday it is.'])
  },
)

test('[X1] a call that the page answers has the arguments that a hook gave', async () => {
  const hooks = { beforeToolCall: () => ({ args: { day: 'today' } }) }
  const agent = agentOf([[call('pick')], [say('Never.')]], { hooks })
  const chat = new Chat<UIMessage>({ transport: createChatTransport(agent) })

  await chat.sendMessage({ text: 'When?' })

  const shown = toUIMessages(agent.getState()).at(-1)?.parts
  expect(shown).toMatchObject([{ type: 'step-start' }, { input: { day: 'today' } }])
  expect(chat.lastMessage?.parts).toMatchObject([
    { type: 'step-start' },
    { state: 'input-available', input: { day: 'today' } },
  ])
})

test('[X1] a call that the page answers comes once, with what a hook made of it', async () => {
  let decide = () => {}
  const decided = new Promise<void>((resolve) => (decide = resolve))
  const beforeToolCall = async () => {
    await decided
    return { args: { day: 'today' } }
  }
  const agent = agentOf([[call('pick')], [say('Never.')]], { hooks: { beforeToolCall } })
  const inputs: unknown[] = []
  const transport = createChatTransport(agent)
  const onToolCall = ({ toolCall }: { toolCall: { input: unknown } }) => {
    inputs.push(toolCall.input)
  }
  const chat = new Chat<UIMessage>({ transport, onToolCall })

  const done = chat.sendMessage({ text: 'When?' })
  await waitFor(() => expect(chat.lastMessage?.parts.at(-1)).toMatchObject({ type: 'tool-pick' }))
  await waitFor(() => expect(agent.getState().toolCalls.active[0]?.status).toBe('queued'))
  decide()
  await done

  expect(inputs).toEqual([{ day: 'today' }])
})

test('[X3] a run that fails is the error of the chat, and can be asked again', async () => {
  const agent = agentOf([[fail('auth', 'The key is wrong.')], [say('Better.')]])
  show(agent)
  send('Hi.')
  await pageHas('The key is wrong.')
  await statusIs('error')

  press('Regenerate')
  await pageHas('Better.')
  expect(answers()).toEqual(['User: Hi.', 'AI: Better.'])
})

test('[X3] a prompt that a hook refuses is the error of the chat, and the next one is said', async () => {
  let isFirst = true
  const onUserPromptSubmit = () => {
    const isBlocked = isFirst
    isFirst = false
    return isBlocked ? ({ block: true, reason: 'Not that.' } as const) : undefined
  }
  const agent = agentOf([[say('Hello.')]], { hooks: { onUserPromptSubmit } })
  show(agent)
  send('Something bad.')
  await pageHas('Not that.')
  send('Hi.')
  await pageHas('Hello.')
  expect(saidTo(agent)).toEqual(['Hi.'])
})

test('[X5] a page that was loaded again shows the history and follows the run that is active', async () => {
  const agent = agentOf([
    [say('One.')],
    [say('Wait. '), call('clock'), call('remove')],
    [say('Done.')],
  ])
  await agent.prompt('First?')
  const run = agent.prompt('Second?')
  await waitFor(() => expect(agent.getState().status).toBe('awaiting_approval'))
  const messages: UIMessage[] = toUIMessages(agent.getState())

  render(
    <StrictMode>
      <Page transport={createChatTransport(agent)} messages={messages} resume />
    </StrictMode>,
  )
  await pageHas('approval-requested')
  press('Approve')
  await pageHas('Done.')

  expect(await run).toMatchObject({ reason: 'stop' })
  expect(answers()).toEqual([
    ...['User: First?', 'AI: One.', 'User: Second?'],
    'AI: Wait. [tool-clock output-available noon][tool-remove output-available Removed.]Done.',
  ])
})

test('[X5] what is followed after a reload is shown once, and Stop stops it', async () => {
  const agent = agentOf([[say('Wait. '), call('endless')]])
  const run = agent.prompt('Go.')
  await waitFor(() => expect(agent.getState().status).toBe('running_tools'))
  render(
    <StrictMode>
      <Page
        transport={createChatTransport(agent)}
        messages={toUIMessages(agent.getState())}
        resume
      />
    </StrictMode>,
  )
  await statusIs('streaming')
  expect(answers()).toEqual(['User: Go.', 'AI: Wait. [tool-endless input-available ]'])

  press('Stop')

  expect(await run).toMatchObject({ reason: 'aborted' })
  await statusIs('ready')
})

test('[X2] what a tool says while it runs is for onData, and a partial result is preliminary', async () => {
  const said: unknown[] = []
  let goOn = (): void => {}
  const looked = new Promise<void>((resolve) => (goOn = resolve))
  const definition = defineTool({
    name: 'report',
    description: 'Reports how far it is.',
    place: 'page',
    inputSchema: z.object({}),
  })
  const report = implement(definition, async (_, context) => {
    context.onProgress({ value: 1, total: 2 })
    context.custom('found', { rows: 3 })
    context.onUpdate({ content: 'half' })
    await looked
    return 'whole'
  })
  const agent = agentOf([[call('report')], [say('Done.')]], { tools: inPage([report]) })
  const chat = new Chat<UIMessage>({
    transport: createChatTransport(agent),
    onData: (part) => said.push(part),
  })

  const sent = chat.sendMessage({ text: 'Go.' })
  await waitFor(() =>
    expect(chat.lastMessage?.parts.at(-1)).toMatchObject({ output: 'half', preliminary: true }),
  )
  goOn()
  await sent

  expect(said).toMatchObject([
    { type: 'data-tool-progress', id: expect.any(String), data: { value: 1, total: 2 } },
    { type: 'data-found', data: { rows: 3 } },
  ])
  await validateUIMessages({ messages: chat.messages })
  expect(chat.lastMessage?.parts).toMatchObject(toUIMessages(agent.getState()).at(-1)?.parts ?? [])
})

test('[X2] a page with a greeting of its own, files and steering', async () => {
  const agent = agentOf([[call('endless')], [say('Fine.')]])
  const greeting: UIMessage = {
    id: 'welcome',
    role: 'assistant',
    parts: [{ type: 'text', text: 'Hello!' }],
  }
  const chat = new Chat<UIMessage>({
    transport: createChatTransport(agent),
    messages: [greeting],
  })
  const sent = chat.sendMessage({
    text: 'Look.',
    files: [
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw0K' },
      { type: 'file', mediaType: 'text/csv', filename: 'ä.csv', url: 'data:text/csv,%C3%A4' },
    ],
  })
  await waitFor(() => expect(agent.getState().status).toBe('running_tools'))
  agent.steer('Shorter.')
  for (const { toolCallId } of agent.getState().toolCalls.active) agent.cancelTool(toolCallId)
  await sent

  expect(agent.getTranscript()[0]?.content).toEqual([
    { type: 'image', mediaType: 'image/png', data: 'iVBORw0K' },
    { type: 'document', mediaType: 'text/plain', data: 'ä', name: 'ä.csv' },
    { type: 'text', text: 'Look.' },
  ])
  expect(chat.lastMessage?.parts.map(({ type }) => type)).toEqual([
    ...['step-start', 'tool-endless', 'steering-message', 'step-start', 'text'],
  ])
  await validateUIMessages({ messages: chat.messages })
  expect(transcriptProblems(fromUIMessages(chat.messages.slice(1, -1)))).toEqual([])

  await chat.sendMessage({
    files: [{ type: 'file', mediaType: 'image/png', url: 'https://a.b/c' }],
  })
  expect(chat.error?.message).toContain('data URL')
})

test('[X5] a stored conversation goes on with another agent', async () => {
  const storage = memoryStorage()
  const options = { storage, sessionId: 'one' }
  const first = agentOf([[say('One.')]], options)
  await first.prompt('First?')
  first.dispose()
  await first.stored()
  const agent = agentOf([[say('Two.')]], options)
  await agent.ready
  show(agent, { messages: toUIMessages(agent.getState()) })

  send('Second?')
  await pageHas('Two.')

  expect(saidTo(agent)).toEqual(['First?', 'Second?'])
  agent.dispose()
})

test('[X3] a chat that is left stops its run', async () => {
  const agent = agentOf([[hold()]])
  show(agent)
  send('Go.')
  await waitFor(() => expect(agent.isRunning()).toBe(true))

  cleanup()

  await waitFor(() => expect(agent.getState().lastReason).toBe('aborted'))
})
