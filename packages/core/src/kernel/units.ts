import type { ToolExecution } from './events.ts'
import type { KernelConfig } from './kernel-config.ts'
import type { Batch } from './state.ts'
import { hasEnded, isWaiting, isWaitingForApproval, type ToolCall } from './tool-call.ts'

/**
 * The calls of an answer in the units that run one after the other. Parallel: all at once; sequential: one by one;
 * batched: groups of a size. A tool that must run alone makes a unit of its own.
 */
export function unitsOf(batch: Batch, { tools }: KernelConfig): readonly (readonly ToolCall[])[] {
  const size = unitSize(batch.toolExecution)
  const units: ToolCall[][] = []
  let isClosed = true
  for (const call of batch.calls) {
    const isAlone = tools.get(call.toolName)?.sequential === true
    const last = units.at(-1)
    if (last && !isClosed && !isAlone && last.length < size) last.push(call)
    else units.push([call])
    isClosed = isAlone
  }
  return units
}

/** How many calls a unit holds at most. */
export function unitSize(toolExecution: ToolExecution): number {
  if (toolExecution === 'parallel') return Infinity
  return toolExecution === 'sequential' ? 1 : toolExecution.size
}

/**
 * The unit that may run now; calls of other units have to wait. It is the first unit that is not done. A unit that has
 * begun comes before one that a retry has opened again.
 */
export function openUnit(batch: Batch, config: KernelConfig): readonly ToolCall[] {
  const left = unitsOf(batch, config).filter((unit) => !unit.every(isOutOfTheWay))
  return left.find((unit) => unit.some(isUnderWay)) ?? left[0] ?? []
}

export function isUnderWay(call: ToolCall): boolean {
  return call.stage.kind !== 'streaming' && !isOutOfTheWay(call)
}

// A call that waits for the page's answer does not hold up the units after it; one that waits for an approval does.
function isOutOfTheWay(call: ToolCall): boolean {
  return hasEnded(call) || (isWaiting(call) && !isWaitingForApproval(call))
}
