import type { Message } from '../src/kernel/message.ts'
import { formatForAnthropic } from '../src/model/anthropic/format.ts'
import { anthropicProblems } from '../src/model/anthropic/strict.fixtures.ts'
import { formatForOpenAI } from '../src/model/openai/format.ts'
import { openaiProblems } from '../src/model/openai/strict.fixtures.ts'
import type { Judge } from './options.ts'

const model = { provider: 'sim', id: 'sim' }

const anthropic: Judge = (messages) =>
  judged('Anthropic', () => {
    const fields = formatForAnthropic(messages, { model, tools: toolsOf(messages) })
    return anthropicProblems({ model: model.id, max_tokens: 1, ...fields })
  })

const openai: Judge = (messages) =>
  judged('OpenAI', () => {
    const fields = formatForOpenAI(messages, { tools: toolsOf(messages) })
    return openaiProblems({ model: model.id, ...fields })
  })

/** One judge for each format of requests: it reports what the vendor would refuse. */
export const strictJudges: readonly Judge[] = [anthropic, openai]

function judged(vendor: string, judge: () => readonly string[]): readonly string[] {
  try {
    return judge().map((problem) => `${vendor}: ${problem}`)
  } catch (error) {
    return [`${vendor}: ${error instanceof Error ? error.message : String(error)}`]
  }
}

function toolsOf(messages: readonly Message[]) {
  const names = messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((part) => (part.type === 'toolCall' ? [part.toolName] : []))
      : [],
  )
  const legal = new Set(
    names.map((name) => name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_'),
  )
  return [...legal].map((name) => ({
    name,
    description: name,
    inputSchema: { type: 'object' },
  }))
}
