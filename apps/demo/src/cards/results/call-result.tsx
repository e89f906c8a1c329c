import type { ToolCallView, ToolResult } from '@offthread/core'
import type { ReactNode } from 'react'
import { hashFile, loadTable, monteCarlo, sqlQuery } from '../../tools/definitions.ts'
import { plot } from '../../tools/plot/plot-definition.ts'
import { EstimateResult } from './estimate-result.tsx'
import { HashResult } from './hash-result.tsx'
import { PlainResult } from './plain-result.tsx'
import { PlotResult } from './plot-result.tsx'
import { QueryResult } from './query-result.tsx'
import { TableProfile } from './table-profile.tsx'

interface CallResultProps {
  readonly call: ToolCallView
  readonly result: ToolResult
}

/** A result in the form that fits its tool. What does not fit any is shown as it is. */
export function CallResult({ call, result }: CallResultProps): ReactNode {
  return (
    toolResult(call.toolName, result.structuredContent) ?? (
      <PlainResult result={result} name={call.toolName} />
    )
  )
}

function toolResult(toolName: string, output: unknown): ReactNode | undefined {
  switch (toolName) {
    case sqlQuery.name: {
      const { data } = sqlQuery.outputSchema.safeParse(output)
      return data && <QueryResult query={data} />
    }
    case loadTable.name: {
      const { data } = loadTable.outputSchema.safeParse(output)
      return data && <TableProfile profile={data} />
    }
    case monteCarlo.name: {
      const { data } = monteCarlo.outputSchema.safeParse(output)
      return data && <EstimateResult estimate={data} />
    }
    case hashFile.name: {
      const { data } = hashFile.outputSchema.safeParse(output)
      return data && <HashResult hash={data} />
    }
    case plot.name: {
      const { data } = plot.outputSchema.safeParse(output)
      return data && <PlotResult plot={data} />
    }
    default:
      return undefined
  }
}
