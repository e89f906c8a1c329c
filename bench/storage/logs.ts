import { calls, chat } from '../../packages/core/src/agent/session/long-log.fixtures.ts'
import type { DurableEvent } from '../../packages/core/src/kernel/events.ts'

/** The sessions that are opened, by their names. */
export const logs = {
  '2 messages': () => chat(1),
  '1,000 events': () => chat(125),
  '10,000 events': () => chat(1_250),
  '100,000 events': () => chat(12_500),
  '10,000 messages': () => chat(5_000),
  '… and a long log': () => chat(5_000, 16),
  '20,000 tool calls': () => calls(1_000),
} satisfies Readonly<Record<string, () => readonly DurableEvent[]>>
