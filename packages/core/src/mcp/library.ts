import type { Prompt, Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js'
import { allPages, type Page } from './all-pages.ts'
import type { Connection } from './connection.ts'
import { type McpContent, readContent, readResourceContents } from './read-content.ts'

/** A message of a prompt, in the parts that `agent.prompt` takes. */
export interface McpPromptMessage extends McpContent {
  /** Who says it. */
  readonly role: 'user' | 'assistant'
}

/**
 * What a server offers beside its tools. Nothing of it happens by itself: an app shows a list, and gives an agent what its
 * user has chosen. Each function rejects with a `McpServerError`.
 */
export interface McpLibrary {
  /** The resources with an address of their own. */
  readonly listResources: () => Promise<readonly Resource[]>
  /** Addresses with placeholders, for `readResource`. */
  readonly listResourceTemplates: () => Promise<readonly ResourceTemplate[]>
  /** Text, images and PDFs as parts of a message; any other bytes as files. */
  readonly readResource: (uri: string) => Promise<McpContent>
  /** The prompts, with the arguments that each takes. */
  readonly listPrompts: () => Promise<readonly Prompt[]>
  /** The messages of a prompt, with these arguments filled in. */
  readonly getPrompt: (
    name: string,
    args?: Readonly<Record<string, string>>,
  ) => Promise<readonly McpPromptMessage[]>
}

type At = { readonly cursor?: string }
type Asked = { readonly signal: AbortSignal }

export function createLibrary({ use, inTime }: Pick<Connection, 'use' | 'inTime'>): McpLibrary {
  const listed = <Item>(pageAt: (at: At, asked: Asked) => Promise<Page<Item>>) =>
    inTime(async (signal) => (await allPages((at) => pageAt(at, { signal }))).items)
  return {
    listResources: () =>
      listed(async (at, asked) => {
        const page = await use((client, options) => client.listResources(at, options), asked)
        return { items: page.resources, next: page.nextCursor }
      }),
    listResourceTemplates: () =>
      listed(async (at, asked) => {
        const page = await use(
          (client, options) => client.listResourceTemplates(at, options),
          asked,
        )
        return { items: page.resourceTemplates, next: page.nextCursor }
      }),
    readResource: async (uri) => {
      const { contents } = await use((client, options) => client.readResource({ uri }, options))
      return readResourceContents(contents)
    },
    listPrompts: () =>
      listed(async (at, asked) => {
        const page = await use((client, options) => client.listPrompts(at, options), asked)
        return { items: page.prompts, next: page.nextCursor }
      }),
    getPrompt: async (name, args = {}) => {
      const asked = { name, arguments: { ...args } }
      const { messages } = await use((client, options) => client.getPrompt(asked, options))
      return messages.map(({ role, content }) => ({ role, ...readContent(content) }))
    },
  }
}
