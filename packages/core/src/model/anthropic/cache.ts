import type {
  AnthropicCacheMark,
  AnthropicMessage,
  AnthropicText,
  AnthropicTool,
} from './messages-api.ts'

/** How long a prompt is kept: five minutes or an hour, counted again from every use. `null`: not at all. */
export type AnthropicCacheTime = '5m' | '1h' | null

interface Cacheable {
  readonly system?: string
  readonly messages: AnthropicMessage[]
  readonly tools?: AnthropicTool[]
}

/**
 * Marks in the given objects where a cache may end, and returns the marked system text. The marks are after tools and
 * system text, which no turn changes, and after the last two things the user or the tools said. The last but one is
 * where the request before this one ended, so its entry is found however many blocks came since: without a mark the API
 * looks back over 20 of them. These are three of the four marks a request may have.
 */
export function markForCache(
  { system, messages, tools }: Cacheable,
  time: AnthropicCacheTime,
): string | AnthropicText[] | undefined {
  if (time === null) return system
  const cache_control: NonNullable<AnthropicCacheMark['cache_control']> = {
    type: 'ephemeral',
    ...(time === '1h' && { ttl: time }),
  }
  for (const { content } of messages.filter(({ role }) => role === 'user').slice(-2)) {
    const block = content.at(-1)
    if (block && isMarkable(block)) block.cache_control = cache_control
  }
  if (system !== undefined) return [{ type: 'text', text: system, cache_control }]
  const tool = tools?.at(-1)
  if (tool) tool.cache_control = cache_control
  return undefined
}

function isMarkable(block: object): block is AnthropicCacheMark {
  return !('thinking' in block || 'data' in block)
}
