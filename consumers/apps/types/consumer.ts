// Compiled against the packed declarations by several TypeScript versions; never run.
import { createServiceEvents } from '@offthread/adapters'
import { chromeModel } from '@offthread/chrome'
import {
  type Agent,
  type AgentOptions,
  createAgent,
  crossOriginWorker,
  defineTool,
  inWorkers,
  type ParsedToolInput,
  type PartialToolResult,
  type ToolInput,
  type ToolOutput,
} from '@offthread/core'
import { anthropic } from '@offthread/core/anthropic'
import { checkHostTools } from '@offthread/core/host'
import { jsonSchema } from '@offthread/core/json-schema'
import { mcpTools } from '@offthread/core/mcp'
import { toTurns } from '@offthread/core/model'
import { openai } from '@offthread/core/openai'
import { scriptedModel } from '@offthread/core/testing'
import { offthread } from '@offthread/core/vite'
import { webllm } from '@offthread/core/webllm'
import { type Execute, implement, serveTools } from '@offthread/core/worker'
import { inFleet } from '@offthread/fleet'
import { inIsolation } from '@offthread/isolated'
import { brokeredFetch } from '@offthread/isolated/worker'
import { useAgent, useToolCall } from '@offthread/react'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <_Holds extends true>(): void => {}

const measure = defineTool({
  name: 'measure',
  description: 'Measures a text.',
  inputSchema: z.object({
    text: z.string(),
    unit: z.enum(['letters', 'words']).default('letters'),
  }),
  outputSchema: z.object({ length: z.number() }),
})

same<Same<typeof measure.name, 'measure'>>()
same<Same<ToolInput<typeof measure>, { text: string; unit?: 'letters' | 'words' | undefined }>>()
same<Same<ParsedToolInput<typeof measure>, { text: string; unit: 'letters' | 'words' }>>()
same<Same<ToolOutput<typeof measure>, { length: number }>>()

const execute: Execute<typeof measure> = ({ text, unit }, { onUpdate, onProgress, signal }) => {
  same<Same<typeof unit, 'letters' | 'words'>>()
  same<Same<typeof signal, AbortSignal>>()
  onUpdate({ content: 'half', details: { at: 1 } })
  onProgress({ value: 1, total: 2 })
  // @ts-expect-error: an update has content, not text
  onUpdate({ text: 'half' })
  return { length: text.length }
}

export const serve = (): void =>
  serveTools([
    implement(measure, execute),
    implement(measure, async () => ({ default: execute })),
    // @ts-expect-error: the output has a length
    implement(measure, () => ({ size: 1 })),
    // @ts-expect-error: the input has no size
    implement(measure, ({ size }) => ({ length: size })),
  ])

const tools = inWorkers([measure], () => crossOriginWorker('https://cdn.example/tools.js'), {
  keep: 'spare',
})
export const options: AgentOptions = { model: scriptedModel(), tools }
export const agent: Agent = createAgent(options)

// Exported, so their types are written out in declarations.
export const { addToolResult, events } = agent
export const onThePage = { ...measure, place: 'page' as const }

export function Card({ id }: { readonly id: string }): string {
  const call = useToolCall(agent, id)
  same<Same<NonNullable<typeof call>['partial'], PartialToolResult | undefined>>()
  return `${useAgent(agent).status} ${call?.status}`
}

export const entries: readonly unknown[] = [
  anthropic,
  brokeredFetch,
  checkHostTools,
  chromeModel,
  inFleet,
  inIsolation,
  jsonSchema,
  mcpTools,
  offthread,
  openai,
  createServiceEvents,
  toTurns,
  webllm,
]
