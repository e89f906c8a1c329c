import { createAgent, inWorkers } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import { greet } from './tools.js'

const answers = Array.from({ length: 5 }, () => [[call('greet')], [say('Done.')]]).flat()
const tools = inWorkers(
  [greet],
  () => new Worker(new URL('./greet.worker.js', import.meta.url), { type: 'module' }),
  { keep: 'spare' },
)
const agent = createAgent({ model: scriptedModel(...answers), tools })

/** Asks once more, and returns the tool's answer and the length of the conversation. */
globalThis.ask = async () => {
  const { messages } = await agent.prompt('Greet.')
  const { content } = messages.find(({ role }) => role === 'toolResult')
  return { said: content[0].text, messages: agent.getState().messages.length }
}
