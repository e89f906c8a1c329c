import { type Agent, createAgent, textOf } from '@offthread/core'
import { say, scriptedModel } from '@offthread/core/testing'
import { cleanup, render, within } from '@testing-library/react'
import {
  Activity,
  type ComponentType,
  Fragment,
  type PropsWithChildren,
  type ReactNode,
  StrictMode,
} from 'react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import * as Thread from './thread.tsx'
import { useAgent } from './use-agent.ts'
import { useStickToBottom } from './use-stick-to-bottom.ts'

afterEach(cleanup)

test('stays at the end while the text grows and while its box shrinks', async () => {
  const { scroller, content, toGo } = follow()

  content.style.height = '2000px'
  await expect.poll(() => toGo()).toBeLessThan(1)
  scroller.style.height = '100px'
  await expect.poll(() => toGo()).toBeLessThan(1)
})

test('[UI8] leaves a reader who went up alone, also when the text shrinks to near where they are', async () => {
  const { scroller, content, detached, toGo } = follow()
  content.style.height = '1000px'
  await expect.poll(() => scroller.scrollTop).toBe(800)

  scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -100 }))
  scroller.scrollTop = 700
  await expect.poll(() => detached()).toBe('true')
  content.style.height = '910px'
  expect(toGo()).toBe(10)
  await frames(3)
  content.style.height = '3000px'
  await frames(3)

  expect(scroller.scrollTop).toBe(700)
  expect(detached()).toBe('true')
})

test('keeps what a reader opened in place, and follows on if the end is still in view', async () => {
  const { scroller, content, detached, hold } = follow()
  content.style.height = '1000px'
  await expect.poll(() => scroller.scrollTop).toBe(800)

  hold()
  content.style.height = '1400px'
  await expect.poll(() => detached()).toBe('true')

  expect(scroller.scrollTop).toBe(800)
})

test.each(['the page', 'a shadow root'])(
  'a reader who selects text is left alone, in %s',
  async (where) => {
    const host = document.body.appendChild(document.createElement('div'))
    onTestFinished(() => host.remove())
    const root = where === 'the page' ? host : host.attachShadow({ mode: 'open' })
    const container = root.appendChild(document.createElement('div'))
    const { scroller, content } = follow(Fragment, container)
    content.textContent = 'One. Two.'
    content.style.height = '1000px'
    await expect.poll(() => scroller.scrollTop).toBe(800)

    const text = content.firstChild ?? expect.fail()
    document.getSelection()?.setBaseAndExtent(text, 0, text, 4)
    await expect.poll(() => scroller.dataset['following']).toBe('false')
    content.style.height = '1400px'
    await frames(3)

    expect(scroller.scrollTop).toBe(800)
  },
)

test('works in StrictMode, and leaves nothing behind', async () => {
  const { content, toGo, unmount } = follow(StrictMode)
  content.style.height = '1000px'
  await expect.poll(() => toGo()).toBeLessThan(1)
  const left = vi.spyOn(ResizeObserver.prototype, 'disconnect')
  unmount()
  expect(left).toHaveBeenCalledTimes(1)
  left.mockRestore()
})

test('[UI8] follows again when the reader comes back to the end', async () => {
  const { scroller, content, detached, toGo } = follow()
  content.style.height = '1000px'
  await expect.poll(() => scroller.scrollTop).toBe(800)
  scroller.scrollTop = 300
  await expect.poll(() => detached()).toBe('true')

  scroller.scrollTop = 790
  await expect.poll(() => detached()).toBe('false')
  content.style.height = '1500px'
  await expect.poll(() => toGo()).toBeLessThan(1)
})

test('offers no way back to an end that is in view, and still follows no one who scrolled away', async () => {
  const { scroller, content, detached, toGo } = follow()
  content.style.height = '1000px'
  await expect.poll(() => scroller.scrollTop).toBe(800)
  scroller.scrollTop = 300
  await expect.poll(() => detached()).toBe('true')

  content.style.height = '150px'
  await expect.poll(() => detached()).toBe('false')
  content.style.height = '1000px'
  await expect.poll(() => detached()).toBe('true')
  expect(toGo()).toBeGreaterThan(100)
})

test('a thread goes to each question and stays at the end, also after React had hidden it', async () => {
  const long = say('word '.repeat(2000))
  const agent = createAgent({ model: scriptedModel([long], [long]) })
  const shown = (mode: 'visible' | 'hidden') => (
    <Activity mode={mode}>
      <Chat agent={agent} />
    </Activity>
  )
  const view = render(shown('visible'), { wrapper: StrictMode })
  const log = view.getByRole('log')
  const toGo = () => log.scrollHeight - log.clientHeight - log.scrollTop

  await agent.prompt('One?')
  await expect.poll(() => toGo()).toBeLessThan(1)
  view.rerender(shown('hidden'))
  view.rerender(shown('visible'))
  log.style.fontSize = '40px'
  await frames(3)
  expect(toGo()).toBeLessThan(1)
  log.dispatchEvent(new WheelEvent('wheel', { deltaY: -100 }))
  log.scrollTop = 0
  view.rerender(shown('hidden'))
  view.rerender(shown('visible'))
  await frames(3)
  expect(log.scrollTop).toBe(0)
  await agent.prompt('Two?')

  await expect.poll(() => toGo()).toBeLessThan(1)
})

function Chat({ agent }: { readonly agent: Agent }) {
  const { messages } = useAgent(agent)
  return (
    <Thread.Root agent={agent}>
      <Thread.Viewport style={{ height: 200, overflow: 'auto' }}>
        {messages.map(({ id, content }) => (
          <p key={id}>{textOf(content)}</p>
        ))}
      </Thread.Viewport>
    </Thread.Root>
  )
}

function follow(wrapper: ComponentType<PropsWithChildren> = Fragment, container?: HTMLElement) {
  const rendered = render(<Following />, container ? { wrapper, container } : { wrapper })
  const view = { ...within(rendered.container), unmount: rendered.unmount }
  const scroller = view.getByRole('log')
  const content = view.getByTestId('content')
  view.getByRole('button', { name: 'Jump' }).click()
  return {
    scroller,
    content,
    detached: () => scroller.ariaLabel,
    hold: () => view.getByRole('button', { name: 'Hold' }).click(),
    unmount: view.unmount,
    toGo: () => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop,
  }
}

function Following(): ReactNode {
  const { scroller, content, isDetached, toEnd, hold } = useStickToBottom<HTMLElement>()
  return (
    <>
      <section
        ref={scroller}
        role="log"
        aria-label={String(isDetached)}
        style={{ height: 200, overflow: 'auto', overflowAnchor: 'none' }}
      >
        <div ref={content} data-testid="content" style={{ height: 400 }} />
      </section>
      <button type="button" onClick={toEnd}>
        Jump
      </button>
      <button type="button" onClick={hold}>
        Hold
      </button>
    </>
  )
}

async function frames(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
