// automatic.ts: the agent runs each call and asks the model again, until an answer has no calls.
import { createAgent, type Model } from '@offthread/core'
import { tools } from './calculator.ts'

export async function askAutomatically(model: Model, question: string): Promise<string> {
  const agent = createAgent({ model, tools })
  const { text } = await agent.prompt(question)
  return text
}
