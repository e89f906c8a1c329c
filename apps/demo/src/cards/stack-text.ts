import type { ToolResult } from '@offthread/core'

const mostCauses = 4

/** Where in its code a tool failed, and why that failed, if it threw an error. */
export function stackText({ details }: Pick<ToolResult, 'details'>): string | undefined {
  const stacks: string[] = []
  let error: unknown = details
  while (isRecord(error) && stacks.length < mostCauses) {
    if (typeof error['stack'] === 'string') stacks.push(error['stack'].trim())
    error = error['cause']
  }
  return stacks.length > 0 ? stacks.join('\n\nCaused by: ') : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
