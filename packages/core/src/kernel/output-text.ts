import type { AssistantContent } from './message.ts'

/**
 * The JSON of an answer, as far as it is written: from the last text on that begins with an object, as some models
 * explain before, or think in between. Empty if there is none.
 */
export function outputTextOf(content: readonly AssistantContent[]): string {
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''))
  const start = texts.findLastIndex((text) => beginning.test(text))
  if (start < 0) return ''
  const text = texts.slice(start).join('').replace(beginning, '{').trimEnd()
  return text.endsWith(fence) ? text.slice(0, -fence.length).trimEnd() : text
}

// Models that are not held to JSON often put it into a fence.
const beginning = /^\s*(```\w*\s*)?\{/
const fence = '```'
