import type { ToolCallView } from '@offthread/core'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { createDemoAgent } from '../agent.ts'
import { demoCall } from '../tools/demo-call.fixtures.ts'
import { createDataStore } from '../tools/tables.ts'
import { MiniWaterfall } from './mini-waterfall.tsx'

afterEach(cleanup)

const ended: Partial<ToolCallView> = {
  status: 'succeeded',
  times: { acceptedAt: 1000, dispatchedAt: 1100, runningAt: 1200, endedAt: 2000 },
}
const never: Partial<ToolCallView> = {
  status: 'skipped',
  times: { acceptedAt: 1500, endedAt: 1750 },
}
const running: Partial<ToolCallView> = {
  status: 'running',
  times: { acceptedAt: 1000, dispatchedAt: 1000, runningAt: 1000 },
}

test('a lane for each call, with where it waited, started and ran', () => {
  const lanes = show([ended, never])
  expect(lanes).toEqual([
    'good: waiting 0% 10%, starting 10% 10%, running 20% 80%',
    'undefined: waiting 50% 25%',
  ])
})

test('a call that runs has no end; in a replay it ends at what was known then', () => {
  expect(show([ended, running]).at(1)).toContain('calc((var(--now, 0) - 0)')
  cleanup()
  expect(show([ended, running], true).at(0)).toBe(
    'good: waiting 0% 10%, starting 10% 10%, running 20% 80%',
  )
})

test('many calls have as many lanes as there is room for', () => {
  expect(show(Array.from({ length: 100 }, () => ended))).toHaveLength(24)
  cleanup()
  expect(show([{ status: 'input_streaming' }])).toEqual([])
})

/** Shows calls. Returns what is drawn: the tone of each lane, and where its bars begin and how long they are. */
function show(calls: readonly Partial<ToolCallView>[], isReplay = false): readonly string[] {
  const options = { dev: false, store: createDataStore() }
  const live = createDemoAgent(options)
  const state = live.getState()
  const get = (id: string) => ({ ...demoCall, ...calls[Number(id)], toolCallId: id })
  const shown = { ...state, toolCalls: { ...state.toolCalls, get } } as typeof state
  const store = { ...live.store, getState: () => shown, getInitialState: () => shown }
  const agent = { ...live, getState: () => shown, store }
  const { container } = render(
    <MiniWaterfall
      agent={agent}
      ids={calls.map((_, index) => String(index))}
      isReplay={isReplay}
    />,
  )
  return [...container.querySelectorAll<HTMLElement>('.mini-lane')].map(({ dataset, children }) => {
    const bars = [...children].map((bar) => (bar instanceof HTMLElement ? wordsOf(bar) : ''))
    return `${dataset['tone']}: ${bars.join(', ')}`
  })
}

function wordsOf({ dataset, style }: HTMLElement): string {
  return `${dataset['phase']} ${style.insetInlineStart} ${style.inlineSize}`
}
