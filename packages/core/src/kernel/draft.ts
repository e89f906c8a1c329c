import type { DurableFact, Fact } from './events.ts'
import type { NewMessage } from './message.ts'

type Durable<Type extends DurableFact['type']> = Extract<DurableFact, { readonly type: Type }>

/**
 * A fact that still lacks what a pure kernel cannot make: ids, durations and chance. The runtime adds them when it
 * writes.
 */
export type Draft =
  | Exclude<Fact, { readonly type: 'agent_end' | 'tool_execution_end' | 'auto_retry_start' }>
  | Omit<Durable<'agent_end'>, 'durationMs'>
  | Omit<Durable<'tool_execution_end'>, 'timing'>
  | (Omit<Durable<'auto_retry_start'>, 'delayMs'> & { readonly delay: RetryDelay })
  /** A complete message. It is written as `message_start` and `message_end`, as a child of the head. */
  | { readonly type: 'whole_message'; readonly message: NewMessage }

/** How long to wait before a retry, in milliseconds: a random time below a ceiling, or what the server asked for. */
export type RetryDelay = { readonly below: number } | { readonly exactly: number }

export type ToolEndDraft = Extract<Draft, { readonly type: 'tool_execution_end' }>
export type ToolPreparedDraft = Extract<Draft, { readonly type: 'tool_prepared' }>
export type AgentEndDraft = Extract<Draft, { readonly type: 'agent_end' }>
