import { z } from 'zod'
import { defineTool, type Tool } from '../tools/definition.ts'

type WorkerToolOptions = Partial<
  Pick<Tool, 'timeoutMs' | 'executionMode' | 'idempotent' | 'effects'>
> & { readonly retry?: { readonly maxAttempts: number; readonly baseMs?: number } }

/** A tool that runs in a worker and takes any object. */
export function workerTool(name: string, options: WorkerToolOptions = {}): Tool {
  return defineTool({
    name,
    label: `Label of ${name}`,
    description: 'Does what the test makes it do.',
    inputSchema: z.looseObject({}),
    ...options,
  })
}
