import type { Agent } from '@offthread/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import {
  createPlayedAgent,
  doing,
  type PlayedAgent,
  shownSoon,
  streaming,
} from './agents.fixtures.ts'
import { RunPanel } from './run-panel/run-panel.tsx'
import * as ToolCall from './tool-call.tsx'

afterEach(cleanup)

const override = '\u202E'
const accents = '\u0301'.repeat(50_000)
const long = 'k'.repeat(300_000)
/** A model may give a tool no longer name. */
const longName = `evil${override}${long}`.slice(0, 1000)

test.each([
  ['a direction override', `safe${override}gnp`, 'safe‹U+202E›gnp'],
  ['a hidden sentence', 'Go\u{E0069}\u{E0067}!', 'Go‹U+E0069 and 1 more›!'],
  ['a pile of accents', `e${accents}`, `e${'\u0301'.repeat(8)}‹U+0301 and`],
  ['letters that take long to lay out', '\u0628'.repeat(50_000), '\u0628\u0628'],
  ['every second character', `a${override}`.repeat(50_000), 'a‹U+202E›a‹U+202E›'],
])(
  'a card shows %s in arguments and in a result as a mark, or the start',
  async (_, text, shown) => {
    const played = await calling('work', { [text.slice(0, 9000)]: text })
    const { container } = render(<Card agent={played.agent} />)
    fireEvent.click(screen.getByRole('button', { name: /^Label of work/ }))
    expect(screen.getByTestId('args').textContent).toContain(`"${shown}`)

    await doing(() => played.host.worker('work').answer(text))

    expect(screen.getByTestId('result').textContent).toContain(shown)
    expectHarmless(container)
    played.agent.abort()
  },
)

test('a card shows the end of a long log, in which characters that deceive are marks', async () => {
  const played = await calling('work', {})
  const { container } = render(<Card agent={played.agent} />)
  fireEvent.click(screen.getByRole('button', { name: /^Label of work/ }))
  await doing(() => {
    for (let line = 0; line < 100; line += 1)
      played.host.worker('work').log(`${override}a`.repeat(900))
    played.host.worker('work').log('THE END')
  })

  expect(screen.getByTestId('logs').textContent).toMatch(/‹U\+202E›a\nTHE END$/)
  expectHarmless(container)
  played.agent.abort()
})

test('the name of a tool that does not exist fits a line of a card', async () => {
  const { agent } = await calling(longName, {})

  const { container } = render(<Card agent={agent} />)

  expect(screen.getByRole('button').textContent).toMatch(/^evil‹U\+202E›k{50,}…: failed$/)
  expect(screen.getByTestId('error').textContent).toContain('evil‹U+202E›k')
  expectHarmless(container)
  agent.abort()
})

test('the run panel shows the start of what is long, and no character that deceives', async () => {
  const { agent } = await calling(longName, {
    [long.slice(0, 9000)]: long,
    [accents.slice(0, 9000)]: override,
  })
  const { container } = render(<RunPanel agent={agent} />)
  await shownSoon()

  expect(container.querySelector('[data-kind="call"]')?.textContent).toContain('evil‹U+202E›k')
  expectHarmless(container)
  fireEvent.click(screen.getByRole('tab', { name: 'Events' }))
  const list = screen.getByRole('listbox')
  fireEvent.keyDown(list, { key: 'Home' })
  const count = screen.getAllByRole('option').length
  for (let at = 0; at < count; at += 1) {
    expectHarmless(container)
    fireEvent.keyDown(list, { key: 'ArrowDown' })
  }
  expect(count).toBeGreaterThan(5)
  agent.abort()
})

async function calling(toolName: string, args: object): Promise<PlayedAgent> {
  const played = createPlayedAgent()
  await doing(() => void played.agent.prompt('Go.'))
  await streaming(
    played,
    { type: 'toolcall_start', contentIndex: 0, toolName },
    { type: 'toolcall_delta', contentIndex: 0, delta: JSON.stringify(args) },
    { type: 'toolcall_end', contentIndex: 0 },
    { type: 'finish', stopReason: 'tool_use', usage: { inputTokens: 1, outputTokens: 1 } },
  )
  return played
}

/** What a page can lay out at once, in texts and in what is read aloud. `data-tool` is for styles and programs. */
function expectHarmless(container: HTMLElement): void {
  const attributes = [...container.querySelectorAll('*')]
    .flatMap((element) => [...element.attributes])
    .filter(({ name }) => name !== 'data-tool')
  const texts = [container.textContent ?? '', ...attributes.map(({ value }) => value)]
  for (const text of texts) {
    expect(text.length).toBeLessThan(70_000)
    expect(text.match(/[^\0-\u024F]/g)?.length ?? 0).toBeLessThan(20_000)
    expect(text).not.toMatch(/[\u202E\u{E0000}-\u{E007F}]|\p{M}{9}/u)
  }
}

function Card({ agent }: { readonly agent: Agent }) {
  const { messages } = agent.getState()
  const [id = ''] = messages.flatMap(({ content }) =>
    [...content].flatMap((part) => (part.type === 'toolCall' ? [part.toolCallId] : [])),
  )
  return (
    <ToolCall.Root agent={agent} toolCallId={id}>
      <ToolCall.Header>
        <ToolCall.Status />
      </ToolCall.Header>
      <ToolCall.Cancel />
      <ToolCall.Content>
        <ToolCall.Args data-testid="args" />
        <ToolCall.Result data-testid="result" />
        <ToolCall.Error data-testid="error" />
        <ToolCall.Logs data-testid="logs" />
      </ToolCall.Content>
    </ToolCall.Root>
  )
}
