import type { Agent, RunResult, UserInput } from '@offthread/core'

/** Says something else in place of one of the user's messages. */
export async function editMessage(
  agent: Agent,
  messageId: string,
  input: UserInput,
): Promise<RunResult> {
  const message = agent.getState().messages.find(({ id }) => id === messageId)
  if (message?.role !== 'user' || message.source === 'repair') {
    throw new TypeError(`The conversation shows no message ${messageId} of the user.`)
  }
  return agent.prompt(input, { after: message.parentId })
}

/** Shows the branch that leads through a message, to the end. */
export function selectBranch(agent: Agent, messageId: string): void {
  const branches = agent.getState().branches.get(messageId)
  const branch = branches.find((one) => one.messageId === messageId)
  agent.moveHead(branch?.headId ?? messageId)
}
