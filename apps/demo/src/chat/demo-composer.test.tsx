import { createAgent, type Part } from '@offthread/core'
import { hold, scriptedModel } from '@offthread/core/testing'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { createSession, type Session, SessionContext } from '../session.ts'
import { hostTools } from '../tools/host-tools.ts'
import { createDataStore } from '../tools/tables.ts'
import { DemoComposer } from './demo-composer.tsx'

afterEach(cleanup)

test('sends text and files as the parts of one message', async () => {
  const { session, field } = show()

  await userEvent.upload(screen.getByLabelText('Files to attach'), [
    new File(['a,b\n1,2\n'], 'sales, 2024.csv'),
    new File(['x'], 'other.csv'),
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Remove other.csv' }))
  await userEvent.type(field, 'What is{Shift>}{Enter}{/Shift}in it?{Enter}')

  expect(sent(session)).toEqual([
    { type: 'text', text: 'What is\nin it?' },
    { type: 'text', text: '[attached] sales, 2024.csv, 8 bytes' },
  ])
  expect(field).toHaveProperty('value', '')
  expect(screen.queryByRole('list', { name: 'Files to send' })).toBeNull()
  expect(document.activeElement).toBe(field)
})

test('a file that cannot be read is named, and nothing of the message is lost', async () => {
  const { session, field } = show()
  const gone = new File(['x'], 'gone.png')
  gone.arrayBuffer = () => Promise.reject(new DOMException('Moved', 'NotReadableError'))
  await userEvent.upload(screen.getByLabelText('Files to attach'), [gone, new File(['y'], 'b.csv')])

  await userEvent.type(field, 'What is in it?{Enter}')

  expect((await screen.findByRole('alert')).textContent).toBe(
    'gone.png could not be read. Remove it, or choose it again.',
  )
  expect(sent(session)).toBeUndefined()
  expect(field).toHaveProperty('value', 'What is in it?')
  await userEvent.click(screen.getByRole('button', { name: 'Remove gone.png' }))
  await userEvent.type(field, '{Enter}')
  await expect.poll(() => sent(session)).toHaveLength(2)
  expect(screen.queryByRole('alert')).toBeNull()
})

test.each([
  ['is long', 'word '.repeat(20_001)],
  ['piles accents up', `e${'\u0301'.repeat(1000)}`],
  ['piles vowels up', `\u0E01${'\u0E33'.repeat(1000)}`],
  ['has many lines', '\n'.repeat(10_000)],
])(
  'a text that %s becomes a file when it is pasted or dropped, as no field can hold it',
  (_, text) => {
    const { field } = show()
    const data = { files: [], types: ['text/plain'], getData: () => text }

    const isPasted = fireEvent.paste(field, { clipboardData: data })
    expect(screen.getByRole('listitem').textContent).toContain('pasted.txt')
    const isDropped = fireEvent.drop(field, { dataTransfer: data })

    expect([isPasted, isDropped]).toEqual([false, false])
    expect(screen.getAllByRole('listitem')).toHaveLength(2)
  },
)

test('a text that the field cannot hold beside what is in it becomes a file, too', () => {
  const { field } = show()
  fireEvent.change(field, { target: { value: 'word '.repeat(15_000) } })
  const pasted = 'more '.repeat(15_000)
  const clipboardData = { files: [], types: ['text/plain'], getData: () => pasted }

  expect(fireEvent.paste(field, { clipboardData })).toBe(false)
  expect(screen.getByRole('listitem').textContent).toContain('pasted.txt')
  field.setSelectionRange(0, 75_000)
  expect(fireEvent.paste(field, { clipboardData })).toBe(true)
})

test.each(['word '.repeat(20_000), 'e\u0301'.repeat(1000), 'a\n'.repeat(5000)])(
  'what a field can hold is pasted into it',
  (text) => {
    const { field } = show()
    const clipboardData = { files: [], types: ['text/plain'], getData: () => text }

    expect(fireEvent.paste(field, { clipboardData })).toBe(true)
    expect(screen.queryByRole('listitem')).toBeNull()
  },
)

test('of more files than a message takes, the first are sent, and it says so', async () => {
  const { session, field } = show()
  const files = Array.from({ length: 1001 }, (_, at) => new File(['a'], `${at}.csv`))

  act(() => session.attachments.add(files))

  expect(document.querySelectorAll('.file-chip')).toHaveLength(50)
  expect(screen.getByText('Show more (450 files)')).toBeTruthy()
  expect(screen.getByRole('status').textContent).toBe('One message takes no more than 500 files.')
  await userEvent.type(field, 'Go{Enter}')
  await expect.poll(() => sent(session)).toHaveLength(501)
})

test('leaves Enter to the input method while a word is composed', async () => {
  const { session, field } = show()
  await userEvent.type(field, 'こん')

  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  expect(field).toHaveProperty('value', 'こん')

  fireEvent.keyDown(field, { key: 'Enter' })
  await expect.poll(() => sent(session)).toEqual([{ type: 'text', text: 'こん' }])
})

test('sends nothing that is empty', async () => {
  const { session, field } = show()

  await userEvent.type(field, '  {Enter}')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))

  expect(sent(session)).toBeUndefined()
})

interface Shown {
  readonly session: Session
  readonly field: HTMLTextAreaElement
}

function show(): Shown {
  const options = { dev: false, store: createDataStore() }
  const agent = createAgent({ model: scriptedModel([hold()]), tools: hostTools(options) })
  const session = createSession(agent, options)
  render(
    <SessionContext value={session}>
      <DemoComposer />
    </SessionContext>,
  )
  return { session, field: screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }) }
}

function sent({ agent }: Session): readonly Part[] | undefined {
  return agent.getState().messages.find((message) => message.role === 'user')?.content
}
