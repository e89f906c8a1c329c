import { type Agent, createAgent } from '@offthread/core'
import { say, scriptedModel } from '@offthread/core/testing'
import { act } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useAgent, useAgentSelector } from './index.ts'

const views = {
  useAgent: ({ agent }: Props) => <p>{useAgent(agent).messages.length}</p>,
  'useAgent with throttleMs': ({ agent }: Props) => (
    <p>{useAgent(agent, { throttleMs: 50 }).messages.length}</p>
  ),
  useAgentSelector: ({ agent }: Props) => (
    <p>{useAgentSelector(agent, ({ messages }) => [messages.length], sameFirst)[0]}</p>
  ),
}

test.each(Object.entries(views))(
  '%s hydrates what the server rendered, also if the agent has run since',
  async (_, View) => {
    const agent = createAgent({ model: scriptedModel([say('Hello.')]) })
    const container = document.createElement('div')
    container.innerHTML = renderToString(<View agent={agent} />)
    expect(container.textContent).toBe('0')
    await agent.prompt('Hi.')
    const errors: unknown[] = []

    const root = await act(async () =>
      hydrateRoot(container, <View agent={agent} />, {
        onRecoverableError: (error) => errors.push(error),
      }),
    )

    expect(errors).toEqual([])
    expect(container.textContent).toBe('2')
    act(() => root.unmount())
    agent.dispose()
  },
)

interface Props {
  readonly agent: Agent
}

function sameFirst(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a[0] === b[0]
}
