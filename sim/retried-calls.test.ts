import { expect, test } from 'vitest'
import { createAgUiEvents } from '../packages/adapters/src/ag-ui/ag-ui-events.ts'
import { contentOf } from '../packages/adapters/src/ag-ui/ag-ui-messages.ts'
import type { AgUiMessage } from '../packages/adapters/src/ag-ui/ag-ui-types.ts'
import { createBlockEvents } from '../packages/adapters/src/block-events.ts'
import { createChatEvents } from '../packages/adapters/src/chat-events.ts'
import { createPiEvents } from '../packages/adapters/src/pi-events.ts'
import { createServiceEvents } from '../packages/adapters/src/service-events.ts'
import { createYoagentEvents } from '../packages/adapters/src/yoagent-events.ts'
import type { AgentEvent } from '../packages/core/src/kernel/events.ts'
import { textOf } from '../packages/core/src/kernel/message.ts'
import { createReplay } from '../packages/core/src/log/replay.ts'
import type { ToolCallView } from '../packages/core/src/store/tool-call-view.ts'
import { everyLog } from './every-log.ts'
import { retries } from './plans/retries.ts'

test('[R10] [X6] [S000-7] [S001-7] [S002-4] [S003-6] [S004-6] whatever is retried, each consumer shows one result of a call: that of the state', async () => {
  let retried = 0
  await everyLog(
    (log) => {
      const replay = createReplay(log)
      const consumers = Object.entries(createConsumers())
      for (const [index, event] of log.entries()) {
        for (const [, { take }] of consumers) take(event)
        if (event.type !== 'tools_end' || event.agentId !== undefined) continue
        const { toolCalls } = replay.at(index + 1)
        const calls = event.toolCallIds.flatMap((id) => toolCalls.get(id) ?? [])
        expect(calls).toHaveLength(event.toolCallIds.length)
        if (calls.some(({ earlier }) => earlier)) retried += 1
        for (const [adapter, { shown, stated }] of consumers) {
          // AG-UI has no place for what happens between two runs: it is sent with the next one.
          if (adapter === 'agUi' && event.runId === null) continue
          expect({ adapter, calls: shown(calls) }).toEqual({ adapter, calls: stated(calls) })
        }
      }
    },
    { runs: 100, also: retries },
  )
  expect(retried).toBeGreaterThan(50)
})

/** What a page shows that follows the events of one adapter. */
interface Consumer {
  readonly take: (event: AgentEvent) => void
  /** What it shows of each of these calls. */
  readonly shown: (calls: readonly ToolCallView[]) => readonly unknown[]
  /** The same, as the state has it. */
  readonly stated: (calls: readonly ToolCallView[]) => readonly unknown[]
}

function createConsumers(): { readonly [adapter: string]: Consumer } {
  return {
    pi: piConsumer(),
    chat: chatConsumer(),
    service: serviceConsumer(),
    yoagent: yoagentConsumer(),
    block: blockConsumer(),
    agUi: agUiConsumer(),
  }
}

function piConsumer(): Consumer {
  const toPi = createPiEvents()
  const cards = createCards()
  return {
    take: (event) => {
      for (const sent of toPi(event)) {
        if (sent.type === 'ToolExecutionStartEvent') cards.start(sent.tool_call_id)
        if (sent.type !== 'ToolExecutionEndEvent') continue
        cards.end(sent.tool_call_id, [sent.is_error, textOf(sent.result.content)])
      }
    },
    shown: cards.shown,
    stated: (calls) => calls.map(errorAndText),
  }
}

function yoagentConsumer(): Consumer {
  const toYoagent = createYoagentEvents()
  const cards = createCards()
  return {
    take: (event) => {
      for (const sent of toYoagent(event)) {
        if (sent.type === 'ToolExecutionStart') cards.start(sent.tool_call_id)
        if (sent.type !== 'ToolExecutionEnd') continue
        cards.end(sent.tool_call_id, [sent.is_error, textOf(sent.result.content)])
      }
    },
    shown: cards.shown,
    stated: (calls) => calls.map(errorAndText),
  }
}

function chatConsumer(): Consumer {
  const toChat = createChatEvents()
  const results = new Map<string, unknown>()
  return {
    take: (event) => {
      for (const sent of toChat(event)) {
        if (sent.type === 'tool_result_retracted') {
          expect(results.delete(sent.tool_call_id)).toBe(true)
        }
        if (sent.type !== 'tool_result') continue
        expect([...results.keys()]).not.toContain(sent.tool_call_id)
        results.set(sent.tool_call_id, [!sent.success, sent.content])
      }
    },
    shown: (calls) => calls.map(({ toolCallId }) => results.get(toolCallId)),
    stated: (calls) =>
      calls.map((call) => {
        const [isError, text] = errorAndText(call)
        return [isError, call.result?.structuredContent ?? text]
      }),
  }
}

function serviceConsumer(): Consumer {
  const toService = createServiceEvents()
  const errors = new Map<string, boolean>()
  const tracked: string[] = []
  const ends: string[] = []
  return {
    take: (event) => {
      if (event.type === 'tool_execution_end') ends.push(event.toolCallId)
      for (const { event: name, data } of toService(event)) {
        if (name !== 'tools_end') continue
        const { tool_messages, execution_results }: ToolsEnd = JSON.parse(JSON.stringify(data))
        for (const { tool_call_id, is_error } of tool_messages) errors.set(tool_call_id, is_error)
        tracked.push(...execution_results.map(({ tool_call_id }) => tool_call_id))
      }
    },
    shown: (calls) =>
      calls.map(({ toolCallId: id }) => {
        expect(countOf(tracked, id)).toBeGreaterThan(0)
        expect(countOf(tracked, id)).toBeLessThanOrEqual(countOf(ends, id))
        return errors.get(id)
      }),
    stated: (calls) => calls.map(({ isError }) => isError),
  }
}

interface ToolsEnd {
  readonly tool_messages: readonly { readonly tool_call_id: string; readonly is_error: boolean }[]
  readonly execution_results: readonly { readonly tool_call_id: string }[]
}

function blockConsumer(): Consumer {
  const toBlocks = createBlockEvents()
  const errors = new Map<string, string>()
  return {
    take: (event) => {
      for (const sent of toBlocks(event)) {
        if (sent.type === 'ToolUseBlock') errors.set(sent.id, '')
        if (sent.type !== 'ToolUseError') continue
        // An error follows its block, once, with what the call was given.
        expect([errors.get(sent.id), sent.raw_data === '']).toEqual(['', false])
        errors.set(sent.id, sent.error)
      }
    },
    shown: (calls) => calls.map(({ toolCallId }) => errors.get(toolCallId)),
    stated: (calls) => calls.map(errorOf),
  }
}

function agUiConsumer(): Consumer {
  const toAgUi = createAgUiEvents()
  type Result = Pick<Extract<AgUiMessage, { role: 'tool' }>, 'toolCallId' | 'content'>
  let results: readonly Result[] = []
  return {
    take: (event) => {
      for (const sent of toAgUi(event)) {
        if (sent.type === 'MESSAGES_SNAPSHOT')
          results = sent.messages.flatMap((one) => (one.role === 'tool' ? [one] : []))
        if (sent.type === 'TOOL_CALL_RESULT') results = [...results, sent]
      }
    },
    shown: (calls) =>
      calls.map(({ toolCallId: id }) =>
        results.flatMap(({ toolCallId, content }) => (toolCallId === id ? [content] : [])),
      ),
    stated: (calls) => calls.map(({ result }) => [contentOf(result?.content ?? [])]),
  }
}

function errorOf({ isError, errorKind, toolName, result }: ToolCallView): string {
  if (!isError) return ''
  return errorKind === 'not_found' ? `Unknown tool: ${toolName}` : textOf(result?.content ?? [])
}

/** Cards of calls that start and end in turns. */
function createCards() {
  const cards = new Map<string, unknown>()
  const running = 'running'
  return {
    start: (id: string) => {
      expect(cards.get(id)).not.toBe(running)
      cards.set(id, running)
    },
    end: (id: string, result: unknown) => {
      expect(cards.get(id)).toBe(running)
      cards.set(id, result)
    },
    shown: (calls: readonly ToolCallView[]) => calls.map(({ toolCallId }) => cards.get(toolCallId)),
  }
}

function errorAndText({ isError, result }: ToolCallView) {
  return [isError, textOf(result?.content ?? [])] as const
}

function countOf(ids: readonly string[], id: string): number {
  return ids.filter((one) => one === id).length
}
