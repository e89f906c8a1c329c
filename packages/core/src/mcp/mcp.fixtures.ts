import { onTestFinished } from 'vitest'
import type { JsonObject } from '../internal/json.ts'
import { callTo, createRecorder, type Recorder } from '../tools/fixtures/calls.fixtures.ts'
import type { Execution, Settlement, ToolHost } from '../tools/host.ts'
import { type Answer, type FakeMcp, startFakeMcp } from './fake-server.fixtures.ts'
import { mcpTools } from './mcp-tools.ts'
import type { McpOptions, McpTools } from './options.ts'

/** A server and the tools made of its list; both end with the test. */
export async function connectTo(
  answer?: Answer,
  options: McpOptions & { readonly tools?: readonly unknown[] } = {},
): Promise<{ readonly server: FakeMcp; readonly tools: McpTools }> {
  const { tools: list, ...rest } = options
  const server = await serverFor(answer)
  if (list) server.tools = list
  const tools = await mcpTools(server.url, rest)
  onTestFinished(() => tools.close())
  return { server, tools }
}

export async function serverFor(answer?: Answer): Promise<FakeMcp> {
  const server = await startFakeMcp(answer)
  onTestFinished(() => server.close())
  return server
}

interface Started {
  readonly execution: Execution
  readonly recorder: Recorder
  readonly done: Promise<Settlement>
}

/** Starts a call of one of the host's tools. */
export function start(host: ToolHost, name: string, input: JsonObject = {}): Started {
  const tool = host.tools.find((one) => one.name === name)
  if (!tool) throw new Error(`There is no tool ${name}.`)
  const execution = host.open(tool, { graceMs: 250 })
  const recorder = createRecorder()
  return { execution, recorder, done: execution.run(callTo(name, input), recorder) }
}

export function run(host: ToolHost, name: string, input: JsonObject = {}): Promise<Settlement> {
  return start(host, name, input).done
}
