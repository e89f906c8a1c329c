import { type Agent, createAgent } from '@offthread/core'
import { say, scriptedModel } from '@offthread/core/testing'
import { cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { TimelineGrid } from './timeline-grid.tsx'
import { useRunTimeline } from './use-run-timeline.ts'

afterEach(cleanup)

test('without a stylesheet, nothing of the timeline lies over the rest of the page', async () => {
  const agent = createAgent({ model: scriptedModel([say('Hello.')]) })
  await agent.prompt('Hello?')
  render(
    <>
      <button type="button">Before</button>
      <Waterfall agent={agent} />
      <button type="button">After</button>
    </>,
  )
  await screen.findByRole('row', { name: /Run/ })

  expect(hit('Before')).toBe('Before')
  expect(hit('After')).toBe('After')
})

function Waterfall({ agent }: { readonly agent: Agent }): ReactNode {
  return <TimelineGrid timeline={useRunTimeline(agent)} playhead={0} />
}

/** What a click on the button of this name reaches. */
function hit(name: string): string | null | undefined {
  const { left, top, width, height } = screen.getByRole('button', { name }).getBoundingClientRect()
  return document.elementFromPoint(left + width / 2, top + height / 2)?.textContent
}
