import type { JsonObject } from '../internal/json.ts'
import { closedSchema } from './closed-schema.ts'
import type { Model, ModelChunk, ModelRequest, StreamOptions, ToolSpec } from './port.ts'

/** A request whose answer is to be an object of a schema. */
interface OutputQuestion {
  readonly schema: JsonObject
  readonly request: ModelRequest
}

/**
 * Asks a model for an answer that is JSON: by the model's own mechanism if that takes the schema, else with a tool that
 * takes the final answer. Both give a text of JSON, because the input of that tool's call becomes the text.
 */
export function streamOutput(
  model: Model,
  { schema, request }: OutputQuestion,
  options: StreamOptions,
): AsyncIterable<ModelChunk> {
  const output = model.structuredOutput ? closedSchema(schema) : null
  if (output) return model.stream({ ...request, output }, options)
  const name = freeName(request.tools)
  const asked = {
    ...request,
    system: [request.system, instruction(name)].filter((text) => text !== '').join('\n\n'),
    tools: [...request.tools, finalAnswer(name, schema)],
  }
  return asText(model.stream(asked, options), name)
}

function instruction(name: string): string {
  return `When you have the answer, call ${name} with it. It is the only way to answer: what you say outside of it is not read.`
}

function finalAnswer(name: string, inputSchema: JsonObject): ToolSpec {
  return { name, description: 'Takes the final answer. Ends the task.', inputSchema }
}

function freeName(tools: readonly ToolSpec[]): string {
  let name = 'final_answer'
  while (tools.some((tool) => tool.name === name)) name += '_'
  return name
}

async function* asText(
  chunks: AsyncIterable<ModelChunk>,
  name: string,
): AsyncGenerator<ModelChunk, void, undefined> {
  const answers = new Set<number>()
  /** The answers in which nothing is written yet, and those that were ended so. */
  const blank = new Set<number>()
  const ended: number[] = []
  let calls = 0
  for await (const chunk of chunks) {
    switch (chunk?.type) {
      case 'toolcall_start': {
        const { contentIndex, toolName } = chunk
        calls += 1
        if (toolName === name) for (const kind of [answers, blank]) kind.add(contentIndex)
        yield toolName === name ? { type: 'text_start', contentIndex } : chunk
        break
      }
      case 'toolcall_delta':
        if (chunk.delta !== '') blank.delete(chunk.contentIndex)
        yield answers.has(chunk.contentIndex) ? { ...chunk, type: 'text_delta' } : chunk
        break
      case 'toolcall_end':
        // Whether it was cut off is known at the end of the whole answer only.
        if (blank.delete(chunk.contentIndex)) ended.push(chunk.contentIndex)
        else yield answers.has(chunk.contentIndex) ? { ...chunk, type: 'text_end' } : chunk
        break
      case 'finish': {
        const isWhole = chunk.stopReason === 'tool_use'
        for (const contentIndex of ended) {
          // The input of a call without any is an empty object.
          if (isWhole) yield { type: 'text_delta', contentIndex, delta: '{}' }
          yield { type: 'text_end', contentIndex }
        }
        const isAnswer = isWhole && calls > 0 && calls === answers.size
        yield isAnswer ? { ...chunk, stopReason: 'stop' } : chunk
        break
      }
      default:
        yield chunk
    }
  }
}
