import type { Tool } from '../packages/core/src/index.ts'
import { workerTool } from '../packages/core/src/runtime/worker-tool.fixtures.ts'

export const measure: Tool = workerTool('measure')
export const loop: Tool = workerTool('loop')
export const complain: Tool = workerTool('complain')
