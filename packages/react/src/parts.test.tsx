import { type Agent, defineTool, memoryStorage } from '@offthread/core'
import { jsonSchema } from '@offthread/core/json-schema'
import { fakeClock, fakeWorkers } from '@offthread/core/testing'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { createRef, type ReactNode } from 'react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import {
  answer,
  calls,
  createPlayedAgent,
  doing,
  type PlayedAgent,
  streaming,
  workerTool,
} from './agents.fixtures.ts'
import * as Composer from './composer.tsx'
import * as Message from './message.tsx'
import * as Thread from './thread.tsx'
import * as ToolCall from './tool-call.tsx'
import { useAgent } from './use-agent.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('Enter sends at rest, queues in a run, and with Ctrl steers; the focus stays in the field', async () => {
  const played = createPlayedAgent()
  const field = showComposer(played.agent)
  await type(field, 'First.')
  expect(played.agent.getState().messages).toMatchObject([
    { content: [{ text: 'First.' }] },
    { role: 'assistant' },
  ])
  expect(field.value).toBe('')
  expect(button('Queue').dataset['state']).toBe('queue')

  await type(field, 'Second.')
  await type(field, 'Third.', { ctrlKey: true })

  expect(played.agent.getState().queues).toMatchObject({
    steering: [[{ text: 'Third.' }]],
    followUp: [[{ text: 'Second.' }]],
  })
  expect(screen.getAllByRole('listitem').map(({ firstChild }) => firstChild?.textContent)).toEqual([
    'Third.',
    'Second.',
  ])
  expect(document.activeElement).toBe(field)
})

test('what waits can be said now, or taken back, each by itself', async () => {
  const { agent } = createPlayedAgent()
  const field = showComposer(agent)
  for (const text of ['First.', 'Second.', 'Third.', 'Fourth.']) await type(field, text)

  await doing(() => button('Say Third. now').click())
  await doing(() => button('Remove Second.').click())

  expect(agent.getState().queues).toMatchObject({
    steering: [[{ text: 'Third.' }]],
    followUp: [[{ text: 'Fourth.' }]],
  })
  expect(document.activeElement).toBe(field)
})

test('Stop is a button of its own, and hands the focus to the field when it goes', async () => {
  const { agent } = createPlayedAgent()
  const field = showComposer(agent)
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
  const send = button('Send')
  await type(field, 'First.')
  fireEvent.change(field, { target: { value: 'A draft.' } })
  const stop = button('Stop')

  stop.focus()
  await doing(() => stop.click())

  expect(agent.getState().lastReason).toBe('aborted')
  expect(stop.isConnected).toBe(false)
  expect(button('Send')).toBe(send)
  expect(document.activeElement).toBe(field)
  expect(field.value).toBe('A draft.')
})

test('Escape in the field stops the run, unless a word is composed or the app handles it', async () => {
  const { agent } = createPlayedAgent()
  const field = showComposer(agent)
  await type(field, 'First.')

  fireEvent.keyDown(field, { key: 'Escape', isComposing: true })
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  expect(agent.isRunning()).toBe(true)
  await doing(() => fireEvent.keyDown(field, { key: 'Escape' }))
  expect(agent.isRunning()).toBe(false)
})

test('a text stays where the app did not send it, and a touch keyboard starts lines with Enter', async () => {
  const { agent } = createPlayedAgent()
  const onSend = vi.fn(() => false)
  const field = showComposer(agent, { onSend })
  await type(field, 'First.')
  expect(onSend).toHaveBeenCalledWith('First.', 'send')
  expect(field.value).toBe('First.')

  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  expect(fireEvent.keyDown(field, { key: 'Enter' })).toBe(true)
  expect(onSend).toHaveBeenCalledTimes(1)
})

test('a text that is still being sent is not sent again, and another one is', async () => {
  const { agent } = createPlayedAgent()
  const ends: ((isSent: boolean) => void)[] = []
  const onSend = vi.fn(() => new Promise<boolean>((resolve) => ends.push(resolve)))
  const field = showComposer(agent, { onSend })
  await type(field, 'First.')
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(onSend).toHaveBeenCalledTimes(1)

  await doing(() => ends[0]?.(false))
  expect(field.value).toBe('First.')
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(onSend).toHaveBeenCalledTimes(2)
  await type(field, 'Second.')
  expect(onSend).toHaveBeenCalledTimes(3)
  await doing(() => ends[2]?.(true))
  expect(field.value).toBe('')
})

test('[D7] in a session that is only shown nothing is sent, and what was typed stays', async () => {
  const storage = memoryStorage()
  for (const _ of ['one', 'two']) (await storage.claim('s', 'take'))?.release()
  const { agent } = createPlayedAgent([], { storage, sessionId: 's' })
  await agent.ready
  const field = showComposer(agent)

  await type(field, 'First.')
  await doing(() => button('Send').click())

  expect(agent.getState().access).toBe('read-only')
  expect(field.value).toBe('First.')
  expect(button('Send').getAttribute('aria-disabled')).toBe('true')
})

test('[D7] in a session that is only shown no button of a call or of the queue does anything, and each says so', async () => {
  const storage = memoryStorage()
  const host = fakeWorkers([{ ...workerTool('work'), needsApproval: true }], { clock: fakeClock() })
  const before = createPlayedAgent([], { tools: host, storage, sessionId: 's' })
  void before.agent.prompt('Go.')
  await streaming(before, ...calls('work'))
  before.agent.followUp('Later.')
  await before.agent.stored()
  before.agent.dispose()
  for (const _ of ['one', 'two']) (await storage.claim('s', 'take'))?.release()
  const { agent } = createPlayedAgent([], { tools: host, storage, sessionId: 's' })
  await agent.ready
  showComposer(agent)
  render(<Card agent={agent} />)

  const names = ['Cancel Label of work', 'Allow', 'Deny']
  for (const name of names) await doing(() => button(name).click())
  for (const name of ['Say Later. now', 'Remove Later.']) await doing(() => button(name).click())

  expect(agent.getState().access).toBe('read-only')
  expect(screen.getByTestId('card').dataset['status']).toBe('awaiting_approval')
  expect(names.map((name) => button(name).getAttribute('aria-disabled'))).toEqual(
    names.map(() => 'true'),
  )
  expect(agent.getState().queues.followUp).toHaveLength(1)
})

test('a question is said in other words, and each version keeps its place and the focus', async () => {
  const played = createPlayedAgent()
  render(<Messages agent={played.agent} />)
  await say(played, 'Frist?', 'One.')
  const edit = button('Edit')

  edit.focus()
  await doing(() => edit.click())
  const field = screen.getByRole<HTMLTextAreaElement>('textbox')
  expect(document.activeElement).toBe(field)
  expect(field.value).toBe('Frist?')
  fireEvent.change(field, { target: { value: 'First?' } })
  await doing(() => fireEvent.keyDown(field, { key: 'Enter' }))
  expect(button('Edit').ariaDisabled ?? button('Edit').getAttribute('aria-disabled')).toBe('true')
  await streaming(played, ...answer('Two.'))

  expect(texts()).toEqual(['First?', 'Two.'])
  expect(document.activeElement).toBe(edit)
  expect(screen.getByText('2 / 2')).toBeTruthy()
  const older = button('Older')
  older.focus()
  await doing(() => older.click())
  expect(texts()).toEqual(['Frist?', 'One.'])
  expect(document.activeElement).toBe(older)
  expect(screen.getByText('1 / 2')).toBeTruthy()
})

test('Escape closes the editor and stops no run, and gives the focus back', async () => {
  const played = createPlayedAgent()
  render(<Messages agent={played.agent} />)
  await say(played, 'First?', 'One.')
  await doing(() => button('Edit').click())
  await doing(() => void played.agent.prompt('Second?'))

  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape', isComposing: true })
  expect(screen.getByRole('textbox')).toBeTruthy()
  await doing(() => fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' }))

  expect(played.agent.getState().status).toBe('submitted')
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(document.activeElement).toBe(screen.getAllByRole('button', { name: 'Edit' })[0])
  expect(texts().slice(0, 2)).toEqual(['First?', 'One.'])
})

test('an answer is given again, and is copied as it is', async () => {
  const written: string[] = []
  vi.stubGlobal('navigator', {
    clipboard: { writeText: async (text: string) => void written.push(text) },
  })
  const played = createPlayedAgent()
  render(<Messages agent={played.agent} />)
  await say(played, 'First?', 'One.')

  await doing(() => button('Again').click())
  await streaming(played, ...answer('Two.'))
  await doing(() => button('Copy').click())

  expect(texts()).toEqual(['First?', 'Two.'])
  expect(screen.getByText('2 / 2')).toBeTruthy()
  expect(written).toEqual(['Two.'])
  expect(button('Copy').dataset['state']).toBe('copied')
})

test('says where the browser has no clipboard', async () => {
  vi.stubGlobal('navigator', {})
  const played = createPlayedAgent()
  render(<Messages agent={played.agent} />)
  await say(played, 'First?', 'One.')

  await doing(() => button('Copy').click())

  expect(button('Copy').dataset['state']).toBe('failed')
})

test('in a shadow root an editor that closes gives the focus back to what had it', async () => {
  const root = document.body
    .appendChild(document.createElement('div'))
    .attachShadow({ mode: 'open' })
  onTestFinished(() => root.host.remove())
  const place = root.appendChild(document.createElement('div'))
  const played = createPlayedAgent()
  render(<Messages agent={played.agent} />, { container: place })
  await say(played, 'First?', 'One.')
  const inside = within(place)
  const edit = inside.getByRole('button', { name: 'Edit' })

  edit.focus()
  await doing(() => edit.click())
  const field = inside.getByRole('textbox')
  expect(root.activeElement).toBe(field)
  await doing(() => fireEvent.keyDown(field, { key: 'Escape' }))

  expect(root.activeElement).toBe(edit)
})

test('a card is cancelled, and the focus goes to its header', async () => {
  const played = createPlayedAgent()
  const done = await doing(() => played.agent.prompt('Go.'))
  await streaming(played, ...calls('work'))
  render(<Card agent={played.agent} />)
  await doing(() => played.host.worker('work').begin())
  await doing(() => played.host.worker('work').progress(25))
  await frame()
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25')
  expect(screen.getByTestId('card').dataset).toMatchObject({
    status: 'running',
    state: 'closed',
    tool: 'work',
  })
  const cancel = button('Cancel Label of work')

  cancel.focus()
  await doing(() => cancel.click())
  // It does not stop by itself.
  await doing(() => played.clock.advance(1000))
  expect(cancel.isConnected).toBe(false)

  expect(document.activeElement).toBe(button(/^Label of work/))
  expect(screen.getByTestId('card').dataset['status']).toBe('cancelled')
  expect(screen.queryByRole('progressbar')).toBeNull()
  played.agent.abort()
  await done()
})

test('a card asks, takes the answer, and hands the focus to its header', async () => {
  const asking = defineTool({
    name: 'remove',
    description: 'Removes.',
    inputSchema: jsonSchema({ type: 'object' }),
    needsApproval: true,
  })
  const played = createPlayedAgent([], {
    tools: fakeWorkers([asking], { clock: fakeClock() }),
  })
  const done = await doing(() => played.agent.prompt('Go.'))
  await streaming(played, ...calls('remove'))
  render(<Card agent={played.agent} />)
  expect(screen.getByRole('group').textContent).toContain('{}')
  const deny = button('Deny')

  deny.focus()
  await doing(() => deny.click())

  expect(screen.queryByRole('group')).toBeNull()
  expect(document.activeElement).toBe(button(/^remove/))
  expect(screen.getByTestId('card').dataset['status']).toBe('denied')
  played.agent.abort()
  await done()
})

test('an empty result is shown', async () => {
  const played = createPlayedAgent()
  const done = await doing(() => played.agent.prompt('Go.'))
  await streaming(played, ...calls('work'))
  render(<Card agent={played.agent} />)
  await doing(() => played.host.worker('work').answer(''))
  fireEvent.click(button(/^Label of work/))

  expect(screen.getByTestId('result').textContent).toBe('')
  played.agent.abort()
  await done()
})

test('a part outside of its root says so, and asChild needs one element', () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { agent } = createPlayedAgent()

  expect(() => render(<Composer.Send>Send</Composer.Send>)).toThrow(
    'Render this part inside <Composer.Root>.',
  )
  expect(() =>
    render(
      <Composer.Root agent={agent}>
        <Composer.Send asChild>Send</Composer.Send>
      </Composer.Root>,
    ),
  ).toThrow('A part with asChild needs one element as its child.')
  errors.mockRestore()
})

test('with asChild the child gets the part’s properties, keeps its own, and both refs and handlers', () => {
  const { agent } = createPlayedAgent()
  const outer = createRef<HTMLButtonElement>()
  const own = createRef<HTMLButtonElement>()
  const clicks: string[] = []
  render(
    <Composer.Root agent={agent} defaultText="Hi." onSend={() => void clicks.push('sent')}>
      <Composer.Input />
      <Composer.Send asChild ref={outer} className="a" style={{ color: 'red' }}>
        <button
          type="submit"
          ref={own}
          className="b"
          style={{ margin: 1 }}
          onClick={() => clicks.push('own')}
        >
          Mine
        </button>
      </Composer.Send>
    </Composer.Root>,
  )

  const mine = button('Mine')
  fireEvent.click(mine)
  expect(mine.className).toBe('a b')
  expect([mine.style.color, mine.style.margin]).toEqual(['red', '1px'])
  expect([outer.current, own.current]).toEqual([mine, mine])
  expect(clicks).toEqual(['own', 'sent'])
})

test('the log is quiet for assistive technology, and busy while it grows', async () => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  )
  const { agent } = createPlayedAgent()
  render(
    <Thread.Root agent={agent}>
      <Thread.Viewport>Text</Thread.Viewport>
      <Thread.JumpToLatest>Jump</Thread.JumpToLatest>
    </Thread.Root>,
  )
  const log = screen.getByRole('log', { name: 'Conversation' })
  expect([log.ariaLive, log.ariaBusy]).toEqual(['off', 'false'])
  expect(screen.queryByRole('button')).toBeNull()

  const done = await doing(() => agent.prompt('Go.'))
  expect(log.ariaBusy).toBe('true')
  agent.abort()
  await done()
})

test('who has left the end sees how much has come since, and what of it failed', async () => {
  const played = createPlayedAgent()
  const { agent, host } = played
  await doing(() => agent.prompt('Go.'))
  await streaming(played, ...calls('work'))
  render(
    <Thread.Root agent={agent}>
      <Missed />
    </Thread.Root>,
  )
  const said = () => document.body.textContent
  expect(said()).toBe('0 new · 0 failed')
  await doing(() => host.worker('work').throws(new Error('No.')))
  // The next answer.
  expect(said()).toBe('1 new · 1 failed')
  await streaming(played, ...calls('work', 'work'))
  expect(said()).toBe('3 new · 1 failed')
  agent.abort()
})

function Missed(): ReactNode {
  const { added, failed } = Thread.useMissed()
  return `${added} new · ${failed} failed`
}

function showComposer(
  agent: Agent,
  props: Pick<Composer.RootProps, 'onSend'> = {},
): HTMLTextAreaElement {
  render(
    <Composer.Root agent={agent} {...props}>
      <Composer.Queue>
        {({ text, remove, steer }) => (
          <li>
            {text}
            <button type="button" onClick={steer}>
              Say {text} now
            </button>
            <button type="button" onClick={remove}>
              Remove {text}
            </button>
          </li>
        )}
      </Composer.Queue>
      <Composer.Input aria-label="Message" />
      <Composer.Stop>Stop</Composer.Stop>
      <Composer.Send>
        <WordOfSend />
      </Composer.Send>
    </Composer.Root>,
  )
  return screen.getByRole('textbox', { name: 'Message' })
}

function WordOfSend() {
  return Composer.useComposer().isActive ? 'Queue' : 'Send'
}

async function type(field: HTMLElement, text: string, keys: KeyboardEventInit = {}): Promise<void> {
  field.focus()
  fireEvent.change(field, { target: { value: text } })
  await doing(() => fireEvent.keyDown(field, { key: 'Enter', ...keys }))
}

function Messages({ agent }: { readonly agent: Agent }) {
  const { messages } = useAgent(agent)
  return messages.map(({ id, parentId, role }) => (
    <Message.Root key={parentId ?? 'first'} agent={agent} messageId={id}>
      <Message.Parts>
        {(part) => part.kind === 'text' && <p data-testid="text">{part.text}</p>}
      </Message.Parts>
      <Message.Editor>
        <Composer.Input />
      </Message.Editor>
      <Message.Edit>Edit</Message.Edit>
      {role === 'assistant' && <Message.Copy>Copy</Message.Copy>}
      {role === 'assistant' && <Message.Regenerate>Again</Message.Regenerate>}
      <Message.BranchPicker>
        <Message.BranchPrevious>Older</Message.BranchPrevious>
        <Message.BranchCount />
        <Message.BranchNext>Newer</Message.BranchNext>
      </Message.BranchPicker>
    </Message.Root>
  ))
}

function Card({ agent }: { readonly agent: Agent }) {
  const [id = ''] = useAgent(agent)
    .messages.flatMap(({ content }) => [...content])
    .flatMap((part) => (part.type === 'toolCall' ? [part.toolCallId] : []))
  return (
    <ToolCall.Root agent={agent} toolCallId={id} data-testid="card">
      <ToolCall.Header>
        <ToolCall.Status />
      </ToolCall.Header>
      <ToolCall.Cancel>Cancel</ToolCall.Cancel>
      <ToolCall.Progress />
      <ToolCall.Approval>
        <ToolCall.Args />
        <ToolCall.Approve>Allow</ToolCall.Approve>
        <ToolCall.Deny>Deny</ToolCall.Deny>
      </ToolCall.Approval>
      <ToolCall.Content>
        <ToolCall.Result data-testid="result" />
      </ToolCall.Content>
    </ToolCall.Root>
  )
}

async function say(played: PlayedAgent, question: string, words: string): Promise<void> {
  const done = await doing(() => played.agent.prompt(question))
  await streaming(played, ...answer(words))
  await done()
  await doing(() => {})
}

function texts(): readonly (string | null)[] {
  return screen.getAllByTestId('text').map(({ textContent }) => textContent)
}

function button(name: string | RegExp): HTMLElement {
  return screen.getByRole('button', { name })
}

async function frame(): Promise<void> {
  await act(() => new Promise((resolve) => setTimeout(resolve, 40)))
}
