import type { Agent, RunResult, UserInput } from '@offthread/core'

/**
 * Says something, or queues it as a follow-up while a run is active. Whether one is may change while a prompt waits for
 * the session to be read.
 */
export async function sendMessage(agent: Agent, input: UserInput): Promise<RunResult | null> {
  while (!agent.isRunning()) {
    try {
      return await agent.prompt(input)
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'AgentBusyError') throw error
    }
  }
  agent.followUp(input)
  return null
}
