// What the guides take as given: names that they import elsewhere, and names of the app. Compiled beside their code.
import type * as adapters from '@offthread/adapters'
import type * as agUi from '@offthread/adapters/ag-ui'
import type * as aiSdk from '@offthread/adapters/ai-sdk'
import type * as assistantUi from '@offthread/adapters/assistant-ui'
import type * as core from '@offthread/core'
import type * as claude from '@offthread/core/anthropic'
import type * as loop from '@offthread/core/loop'
import type * as mcp from '@offthread/core/mcp'
import type * as lists from '@offthread/core/sessions'
import type * as worker from '@offthread/core/worker'
import type * as isolated from '@offthread/isolated'
import type * as nats from '@offthread/nats'
import type * as hooks from '@offthread/react'
import type * as devtools from '@offthread/react/devtools'
import type * as runPanel from '@offthread/react/run-panel'
import type * as thread from '@offthread/react/thread'
import type * as react from 'react'
import type * as zod from 'zod'

type Part = react.FunctionComponent<{ readonly [prop: string]: unknown }>
type Primes = zod.ZodType<{ n: number }>
type Count = zod.ZodType<{ count: number }>
type Target = NonNullable<Parameters<typeof runPanel.RunPanel>[0]['target']>
type Field = { readonly value: string }

declare global {
  const createAgent: typeof core.createAgent
  const defineTool: typeof core.defineTool
  const inWorkers: typeof core.inWorkers
  const anthropic: typeof claude.anthropic
  const implement: typeof worker.implement
  const executeToolCalls: typeof loop.executeToolCalls
  const query: typeof loop.query
  const mcpTools: typeof mcp.mcpTools
  const inIsolation: typeof isolated.inIsolation
  const createChatEvents: typeof adapters.createChatEvents
  const createAgUiEvents: typeof agUi.createAgUiEvents
  const toServerSentEvent: typeof adapters.toServerSentEvent
  const createChatTransport: typeof aiSdk.createChatTransport
  const toUIMessages: typeof aiSdk.toUIMessages
  const useThreadStore: typeof assistantUi.useThreadStore
  const defineToolUI: typeof hooks.defineToolUI
  const ToolCall: typeof hooks.ToolCall
  const useAgent: typeof hooks.useAgent
  const useAgentSelector: typeof hooks.useAgentSelector
  const useMessage: typeof hooks.useMessage
  const useReplay: typeof hooks.useReplay
  const OffthreadDevtools: typeof devtools.OffthreadDevtools
  const RunPanel: typeof runPanel.RunPanel
  const runPanelStyles: typeof runPanel.runPanelStyles
  const Thread: typeof thread
  const useState: (() => [Target | undefined, (target: Target) => void]) & typeof react.useState
  const z: typeof zod.z

  const agent: core.Agent
  const model: core.Model
  const storage: core.SessionStorage
  const tools: mcp.McpTools
  const ownTools: core.ToolHost
  const countPrimes: core.Tool<'count_primes', Primes, Count>
  const getWeather: core.Tool
  const trainModel: core.Tool
  const sessions: lists.Sessions
  const events: core.DurableEvent[]
  const message: core.Message
  const call: core.ToolCallView
  const recipe: zod.ZodObject<{ title: zod.ZodString; minutes: zod.ZodNumber }>
  const rivers: typeof recipe
  const authProvider: NonNullable<Parameters<typeof mcp.mcpTools>[1]>['authProvider']

  const id: string
  const messageId: string
  const sessionId: string
  const question: string
  const url: string
  const address: string
  const filesUrl: string
  const notesUrl: string
  const form: { readonly token: Field; readonly apiKey: Field }
  const signal: AbortSignal
  const token: () => Promise<string>
  const connect: Parameters<typeof nats.nats>[0]['connect']
  const onEvent: (event: core.AgentEvent) => void
  const show: (shown: unknown) => void
  const send: (text: string) => void

  // Of an app, of libraries, and of the copied look.
  const Chat: Part
  const Card: Part
  const Conversation: Part
  const ToolCard: Part
  const Question: Part
  const Answer: Part
  const Markdown: Part
  const Composer: Part
  const useChat: (options: object) => unknown
  const useExternalStoreRuntime: (store: object) => unknown
  const lastAssistantMessageIsCompleteWithApprovalResponses: unknown
  const nodeResolve: (options: object) => unknown

  interface Window {
    readonly trustedTypes?: { readonly createPolicy: (name: string, rules: object) => void }
  }
}
