/** Runs the three calls, and returns how each of them and the two runs ended. */
export async function runScenario(agent) {
  const computed = await agent.prompt('Compute.')
  const stopWatching = agent.store.subscribe(() => {
    const { toolCalls } = agent.getState()
    if (toolCalls.active.some(({ status }) => status === 'running')) agent.abort()
  })
  const stopped = await agent.prompt('Compute for ever.')
  stopWatching()
  return {
    reasons: [computed.reason, stopped.reason],
    errors: [computed, stopped].flatMap(({ error }) => (error ? [error.message] : [])),
    calls: [computed, stopped].flatMap(({ messages }) => callsOf(agent, messages)),
  }
}

function callsOf(agent, messages) {
  return messages.flatMap((message) => {
    if (message.role !== 'toolResult') return []
    const { status, how, result } = agent.getState().toolCalls.get(message.toolCallId)
    const text = result.content.map((part) => part.text ?? '').join('')
    return [{ name: message.toolName, status, how, value: result.structuredContent, text }]
  })
}
