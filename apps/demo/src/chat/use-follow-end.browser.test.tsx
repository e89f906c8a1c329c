import { cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { useFollowEnd } from './use-follow-end.ts'

afterEach(cleanup)

test('stays at the end while the text grows and while its box shrinks', async () => {
  const { scroller, content, toGo } = follow()

  content.style.height = '2000px'
  await vi.waitFor(() => expect(toGo()).toBeLessThan(1))
  scroller.style.height = '100px'
  await vi.waitFor(() => expect(toGo()).toBeLessThan(1))
})

test('leaves a reader who went up alone, also when the text shrinks to near where they are', async () => {
  const { scroller, content, detached, toGo } = follow()
  content.style.height = '1000px'
  await vi.waitFor(() => expect(scroller.scrollTop).toBe(800))

  scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -100 }))
  scroller.scrollTop = 700
  await vi.waitFor(() => expect(detached()).toBe('true'))
  content.style.height = '910px'
  expect(toGo()).toBe(10)
  await frames(3)
  content.style.height = '3000px'
  await frames(3)

  expect(scroller.scrollTop).toBe(700)
  expect(detached()).toBe('true')
})

test('follows again when the reader comes back to the end', async () => {
  const { scroller, content, detached, toGo } = follow()
  content.style.height = '1000px'
  await vi.waitFor(() => expect(scroller.scrollTop).toBe(800))
  scroller.scrollTop = 300
  await vi.waitFor(() => expect(detached()).toBe('true'))

  scroller.scrollTop = 790
  await vi.waitFor(() => expect(detached()).toBe('false'))
  content.style.height = '1500px'
  await vi.waitFor(() => expect(toGo()).toBeLessThan(1))
})

function follow() {
  const view = render(<Following />)
  const scroller = view.getByRole('log')
  const content = view.getByTestId('content')
  view.getByRole('button').click()
  return {
    scroller,
    content,
    detached: () => scroller.ariaLabel,
    toGo: () => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop,
  }
}

function Following(): ReactNode {
  const { scroller, content, detached, toEnd } = useFollowEnd()
  return (
    <>
      <section
        ref={scroller}
        role="log"
        aria-label={String(detached)}
        style={{ height: 200, overflow: 'auto', overflowAnchor: 'none' }}
      >
        <div ref={content} data-testid="content" style={{ height: 400 }} />
      </section>
      <button type="button" onClick={toEnd}>
        Jump
      </button>
    </>
  )
}

async function frames(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
