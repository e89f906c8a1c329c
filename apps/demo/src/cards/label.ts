import type { ToolCallView } from '@offthread/core'
import { hashFile, loadTable, monteCarlo, sqlQuery } from '../tools/definitions.ts'
import { plot } from '../tools/plot/plot-definition.ts'

const labels = new Map<string, string>(
  [loadTable, sqlQuery, monteCarlo, hashFile, plot].map(({ name, label }) => [name, label]),
)

/** A call's title. While its arguments are being written the log does not know it yet. */
export function labelOf({ toolName, label }: Pick<ToolCallView, 'toolName' | 'label'>): string {
  return label === toolName ? (labels.get(toolName) ?? toolName) : label
}
