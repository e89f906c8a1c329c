// manual.ts: each run ends where an answer has calls. You answer them, and continue.
import { createAgent, type Model, ToolError } from '@offthread/core'
import { validateToolArguments } from '@offthread/core/loop'
import { add, sumOf, tools } from './calculator.ts'

export async function askManually(model: Model, question: string): Promise<string> {
  const agent = createAgent({ model, tools, toolMode: 'manual' })
  let result = await agent.prompt(question)
  while (result.reason === 'awaiting_tool_results') {
    for (const { toolCallId, argsText, isAnswered } of agent.getState().toolCalls.active) {
      if (!isAnswered) await agent.addToolResult(toolCallId, await run(argsText))
    }
    result = await agent.continue()
  }
  return result.text
}

async function run(argsText: string): Promise<{ sum: number } | ToolError> {
  try {
    return sumOf(await validateToolArguments(add, { argsText }))
  } catch (error) {
    if (error instanceof ToolError) return error
    throw error
  }
}
