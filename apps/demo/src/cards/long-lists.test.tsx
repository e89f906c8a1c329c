import { type Agent, createAgent, defineTool, implement, inPage, toolResult } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import { useToolCall } from '@offthread/react'
import * as Thread from '@offthread/react/thread'
import { act, cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { TableProfile } from './results/table-profile.tsx'
import { ToolCard } from './tool-card.tsx'

afterEach(cleanup)

test('of a thousand files of a call the first are drawn, and the others on demand', async () => {
  const data = new Blob(['a'])
  const artifacts = Array.from({ length: 1000 }, (_, at) => {
    return { name: `${at}.txt`, mediaType: 'text/plain', data }
  })
  const agent = createAgent({
    model: scriptedModel([call('split', {})], [say('Done.')]),
    tools: inPage([implement(split, () => toolResult({ content: 'Split.', artifacts }))]),
  })
  const asked = agent.prompt('Split it.')
  const ids = new Set<string>()
  agent.subscribe((event) => void ('toolCallId' in event && ids.add(event.toolCallId ?? '')))
  await asked
  render(
    <Thread.Root agent={agent}>
      <Card agent={agent} toolCallId={[...ids].join()} />
    </Thread.Root>,
  )
  act(() => screen.getByRole('button', { expanded: false, name: /split/i }).click())

  expect(document.querySelectorAll('.artifact-list > li')).toHaveLength(50)
  await userEvent.click(screen.getByText('Show more (950 files)'))

  expect(document.querySelectorAll('.artifact-list > li')).toHaveLength(100)
})

test('of the columns of a wide table the first are drawn, and the others on demand', async () => {
  const rest = { type: 'integer' as const, empty: 0, distinct: 1, examples: [1] }
  const columns = Array.from({ length: 1900 }, (_, at) => {
    return { name: `c${at}`, ...rest }
  })
  const profile = { table: 'wide', file: 'wide.csv', rows: 1, bytes: 1, columns, notes: [] }
  render(<TableProfile profile={profile} />)

  expect(document.querySelectorAll('tbody > tr')).toHaveLength(50)
  await userEvent.click(screen.getByText('Show more (1,850 columns)'))

  expect(document.querySelectorAll('tbody > tr')).toHaveLength(100)
})

test('the focus stays beside a list of which all is shown', async () => {
  const columns = Array.from({ length: 60 }, (_, at) => {
    return { name: `c${at}`, type: 'integer' as const, empty: 0, distinct: 1, examples: [1] }
  })
  const profile = { table: 'wide', file: 'wide.csv', rows: 1, bytes: 1, columns, notes: [] }
  render(<TableProfile profile={profile} />)

  await userEvent.click(screen.getByText('Show more (10 columns)'))

  expect(screen.queryByText(/^Show more/)).toBeNull()
  expect(document.activeElement?.className).toBe('table-scroll')
})

const split = defineTool({
  name: 'split',
  description: 'Splits.',
  place: 'page',
  inputSchema: z.object({}),
})

interface CardProps {
  readonly agent: Agent
  readonly toolCallId: string
}

function Card({ agent, toolCallId }: CardProps): ReactNode {
  const shown = useToolCall(agent, toolCallId)
  return shown && <ToolCard agent={agent} call={shown} />
}
