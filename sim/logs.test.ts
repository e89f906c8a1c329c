import { beforeAll, expect, test } from 'vitest'
import { type AgentEvent, isDurable } from '../packages/core/src/kernel/events.ts'
import { createReplay } from '../packages/core/src/log/replay.ts'
import { createTimeline } from '../packages/core/src/log/timeline.ts'
import type { TimelineRow } from '../packages/core/src/log/timeline-row.ts'
import { everyLog } from './every-log.ts'

const logs: (readonly AgentEvent[])[] = []
beforeAll(async () => {
  const events = await everyLog((log) => logs.push(log))
  expect(events).toBeGreaterThan(3000)
})

test('a timeline of any log has every run, answer and call, in phases that follow each other', () => {
  for (const log of logs) {
    const timeline = createTimeline()
    for (const event of log) timeline.add(event)
    const { rows, startedAt, endedAt } = timeline.get()
    for (const row of rows) {
      expect(gapsIn(row), JSON.stringify(row)).toEqual([])
      expect(row.phases[0]?.startedAt).toBeGreaterThanOrEqual(startedAt)
      expect(row.phases.at(-1)?.endedAt ?? endedAt).toBeLessThanOrEqual(endedAt)
    }
    // A call that is retried in a later run has a row there, too.
    const apart = rows.filter(({ phases, kind }) => kind !== 'call' || phases[0]?.attempt === 1)
    expect(new Set(apart.map(keyOf)).size).toBe(new Set(rows.map(keyOf)).size)
    for (const { parentId } of rows) {
      expect(parentId === null || rows.some(({ id }) => id === parentId)).toBe(true)
    }
    for (const event of log) {
      if (event.type === 'tool_execution_start') {
        expect(rows.some(({ kind, id }) => kind === 'call' && id === event.toolCallId)).toBe(true)
      }
    }
    // Of a call that was retried, its last end counts; it has none while it waits to run once more.
    const outcomes = new Map<string, string>()
    for (const event of log) {
      if (event.type === 'tool_retry_requested') outcomes.delete(event.toolCallId)
      if (event.type === 'agent_end') expect(endOf(rows, event.runId)).toBe(event.reason)
      if (event.type === 'tool_execution_end') outcomes.set(event.toolCallId, event.outcome)
    }
    for (const [id, outcome] of outcomes) expect(endOf(rows, id)).toBe(outcome)
  }
})

test('a replay of any log shows at each place what its first events alone show', () => {
  for (const log of logs) {
    const replay = createReplay(log)
    // Jumps to and fro, so that each place is reached another way than from the start.
    for (let jump = 0; jump < 6; jump += 1) {
      const position = (jump * 7919) % (log.length + 1)
      const { messages, status, toolCalls, queues, error } = replay.at(position)
      const fresh = createReplay(log.slice(0, position)).at(position)
      expect({ messages, status, queues, error }).toEqual({
        messages: fresh.messages,
        status: fresh.status,
        queues: fresh.queues,
        error: fresh.error,
      })
      expect(toolCalls.active).toEqual(fresh.toolCalls.active)
      for (const event of log) {
        if (event.type !== 'tool_execution_start') continue
        const { toolCallId } = event
        expect(toolCalls.get(toolCallId)).toEqual(fresh.toolCalls.get(toolCallId))
      }
    }
  }
})

test('what is stored of a log has the same rows in its timeline', () => {
  for (const log of logs) {
    const [whole, stored] = [log, log.filter(isDurable)].map((events) => {
      const timeline = createTimeline()
      for (const event of events) timeline.add(event)
      return timeline.get().rows
    })
    const ended = (rows: readonly TimelineRow[] = []) =>
      rows.filter(({ end }) => end !== null).map((row) => `${keyOf(row)} ${row.end}`)
    expect(ended(stored).toSorted()).toEqual(ended(whole).toSorted())
  }
})

function gapsIn({ phases }: TimelineRow): readonly string[] {
  let last = Number.NEGATIVE_INFINITY
  return phases.flatMap(({ kind, startedAt, endedAt }, index) => {
    const isWrong =
      startedAt < last || (endedAt === null ? index < phases.length - 1 : endedAt < startedAt)
    last = endedAt ?? startedAt
    return isWrong ? [`${kind} ${startedAt}–${endedAt}`] : []
  })
}

function keyOf({ kind, id }: TimelineRow): string {
  return `${kind} ${id}`
}

function endOf(rows: readonly TimelineRow[], id: string | null): string | null | undefined {
  return rows.findLast((row) => row.id === id && row.kind !== 'answer')?.end
}
