import {
  type Agent,
  AgentBusyError,
  type OutputOf,
  type OutputOptions,
  type OutputSchema,
  type RunResult,
  type UserInput,
} from '@offthread/core'

/** Says something: to be answered in words, or with data of a schema. */
export interface SendMessage {
  /** Sends a message. While a run is active it is queued as a follow-up, and this resolves with `null`. */
  (input: UserInput): Promise<RunResult<never> | null>
  /**
   * Sends a message that asks for an output. It is not queued: rejects with an `AgentBusyError` while a run is active.
   */
  <Schema extends OutputSchema>(
    input: UserInput,
    options: OutputOptions<Schema>,
  ): Promise<RunResult<OutputOf<Schema>>>
}

/** Answers once more, or goes on: in words, or with data of a schema. It can be an `onClick`. */
export interface AskAgain {
  /** Asks for the output of the run before, if that was asked for one. */
  (): Promise<RunResult<never>>
  /** Asks for an answer that fits this schema. */
  <Schema extends OutputSchema>(
    options: OutputOptions<Schema>,
  ): Promise<RunResult<OutputOf<Schema>>>
}

/** Sends messages to this agent. */
export function senderOf(agent: Agent): SendMessage {
  function send(input: UserInput): Promise<RunResult<never> | null>
  function send<Schema extends OutputSchema>(
    input: UserInput,
    options: OutputOptions<Schema>,
  ): Promise<RunResult<OutputOf<Schema>>>
  function send(input: UserInput, options?: OutputOptions): Promise<RunResult | null> {
    return options ? agent.prompt(input, options) : sendMessage(agent, input)
  }
  return send
}

/**
 * Says something, or queues it as a follow-up while a run is active. A run may become active while a prompt waits for
 * the session to be read.
 */
export async function sendMessage(agent: Agent, input: UserInput): Promise<RunResult | null> {
  while (!agent.isRunning()) {
    try {
      return await agent.prompt(input)
    } catch (error) {
      if (!(error instanceof AgentBusyError)) throw error
    }
  }
  agent.followUp(input)
  return null
}
