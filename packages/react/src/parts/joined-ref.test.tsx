import { cleanup, render } from '@testing-library/react'
import type { Ref } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { useJoinedRef } from './joined-ref.ts'

afterEach(cleanup)

test('both refs have the element, and none after its end', () => {
  const object: { current: Element | null } = { current: null }
  const seen: (Element | null)[] = []
  const { container, unmount } = render(
    <Both a={object} b={(element) => void seen.push(element)} />,
  )
  expect([object.current, ...seen]).toEqual([container.firstChild, container.firstChild])

  unmount()

  expect([object.current, ...seen.slice(1)]).toEqual([null, null])
})

test('what else a ref returns is no end of it', () => {
  const ref = vi.fn().mockReturnValue(7)
  const { unmount } = render(<Both a={ref} b={undefined} />)

  unmount()

  expect(ref).toHaveBeenLastCalledWith(null)
})

test('a ref that returns its end is ended by that, and is not called with null', () => {
  const seen: unknown[] = []
  const ref = (element: Element | null) => {
    seen.push(element?.tagName)
    return () => void seen.push('end')
  }
  const { rerender, unmount } = render(<Both a={ref} b={undefined} />)

  rerender(<Both a={ref} b={() => {}} />)
  unmount()

  expect(seen).toEqual(['P', 'end', 'P', 'end'])
})

function Both({
  a,
  b,
}: {
  readonly a: Ref<Element> | undefined
  readonly b: Ref<Element> | undefined
}) {
  return <p ref={useJoinedRef(a, b)} />
}
