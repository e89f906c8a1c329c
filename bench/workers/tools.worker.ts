import { implement, serveTools, toolResult } from '../../packages/core/src/worker.ts'
import { benchTool } from './bench-tool.ts'
import { perform, stamp } from './ways.ts'

serveTools([
  implement(benchTool, ({ how }, { resources, onUpdate }) => {
    const at = stamp()
    const { bytes } = resources
    const value = perform(how, {
      at,
      bytes: bytes instanceof ArrayBuffer ? bytes : undefined,
      report: (content) => onUpdate({ content }),
    })
    if (!(value instanceof ArrayBuffer)) return value
    return toolResult({ artifacts: [{ name: 'bytes', data: value }] })
  }),
])
