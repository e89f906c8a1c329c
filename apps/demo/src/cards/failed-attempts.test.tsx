import { type Agent, createAgent, defineTool, implement, inPage } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import { useToolCall } from '@offthread/react'
import * as Thread from '@offthread/react/thread'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { ToolCard } from './tool-card.tsx'

afterEach(cleanup)

test('under the card stands why the last attempts failed, in the details why all did', async () => {
  const agent = createAgent({
    model: scriptedModel([call('work')], [say('Done.')]),
    tools: [
      inPage([
        implement(work, (_, { attempt }) => {
          if (attempt <= 4) throw new Error(`It broke\nfor the ${attempt}. time.`)
          return 'It worked.'
        }),
      ]),
    ],
  })
  await agent.prompt('Work.')
  const [part] = agent
    .getState()
    .messages.flatMap(({ content }) =>
      content.flatMap((one) => (one.type === 'toolCall' ? [one] : [])),
    )
  render(
    <Thread.Root agent={agent}>
      <Card agent={agent} toolCallId={part?.toolCallId ?? ''} />
    </Thread.Root>,
  )

  const lines = screen.getByRole('list', { name: 'Attempts that failed' })
  expect([...lines.children].map(({ textContent }) => textContent)).toEqual(
    [2, 3, 4].map((at) => `Attempt ${at} failed: It broke for the ${at}. time.`),
  )
  await userEvent.click(screen.getByRole('button', { expanded: false, name: /work/ }))
  expect(document.querySelectorAll('[data-detail^="attempt "]')).toHaveLength(4)
  expect(document.querySelector('[data-detail="attempt 1"]')?.textContent).toBe(
    'Attempt 1 failedIt broke\nfor the 1. time.',
  )
})

const work = defineTool({
  name: 'work',
  description: 'Works.',
  inputSchema: z.object({}),
  place: 'page',
  retry: { maxAttempts: 5, baseMs: 1 },
})

interface CardProps {
  readonly agent: Agent
  readonly toolCallId: string
}

function Card({ agent, toolCallId }: CardProps): ReactNode {
  const shown = useToolCall(agent, toolCallId)
  return shown && <ToolCard agent={agent} call={shown} />
}
