import type {
  Agent,
  OutputOf,
  OutputOptions,
  OutputSchema,
  RunResult,
  UserInput,
} from '@offthread/core'

/** Says something else in place of a message: to be answered in words, or with data of a schema. */
export interface EditMessage {
  /** Asks for an answer in words. */
  (messageId: string, input: UserInput): Promise<RunResult<never>>
  /** Asks for an answer that fits this schema. */
  <Schema extends OutputSchema>(
    messageId: string,
    input: UserInput,
    options: OutputOptions<Schema>,
  ): Promise<RunResult<OutputOf<Schema>>>
}

/** Says something else in place of one of the user's messages to this agent. */
export function editorOf(agent: Agent): EditMessage {
  function edit(messageId: string, input: UserInput): Promise<RunResult<never>>
  function edit<Schema extends OutputSchema>(
    messageId: string,
    input: UserInput,
    options: OutputOptions<Schema>,
  ): Promise<RunResult<OutputOf<Schema>>>
  async function edit(
    messageId: string,
    input: UserInput,
    options?: OutputOptions,
  ): Promise<RunResult> {
    const message = agent.getState().messages.find(({ id }) => id === messageId)
    if (message?.role !== 'user' || message.source === 'repair') {
      throw new TypeError(`No message ${messageId} of the user is shown.`)
    }
    return agent.prompt(input, { ...options, after: message.parentId })
  }
  return edit
}

/** Shows the branch that leads through a message, to the end. */
export function selectBranch(agent: Agent, messageId: string): void {
  const branches = agent.getState().branches.get(messageId)
  const branch = branches.find((one) => one.messageId === messageId)
  agent.moveHead(branch?.headId ?? messageId)
}
