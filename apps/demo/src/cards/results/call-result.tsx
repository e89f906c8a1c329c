import type { ToolOutput, ToolResult } from '@offthread/core'
import type { ReactNode } from 'react'
import { formatBytes, formatCount } from '../../text/quantity.ts'
import type { hashFile, monteCarlo } from '../../tools/definitions.ts'
import type { DemoCall } from '../../tools/host-tools.ts'
import { PlotFigure } from '../../tools/plot/plot-figure.tsx'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { PlainResult } from './plain-result.tsx'
import { QueryResult } from './query-result.tsx'
import { TableProfile } from './table-profile.tsx'

interface CallResultProps {
  readonly call: DemoCall
  readonly result: ToolResult
}

/** A result in the form that fits its tool. Results of other tools are shown as they are. */
export function CallResult({ call, result }: CallResultProps): ReactNode {
  return toolResult(call) ?? <PlainResult result={result} name={call.toolName} />
}

function toolResult(call: DemoCall): ReactNode | undefined {
  switch (call.toolName) {
    case 'sql_query':
      return call.output && <QueryResult query={call.output} />
    case 'load_table':
      return call.output && <TableProfile profile={call.output} />
    case 'monte_carlo':
      return call.output && <Estimate {...call.output} />
    case 'hash_file':
      return call.output && <Checksum {...call.output} />
    case 'plot':
      // On a narrow page it scrolls, and stays legible.
      return (
        call.output && (
          <ScrollBox className="plot-scroll" aria-label="Plot">
            <PlotFigure plot={call.output} />
          </ScrollBox>
        )
      )
    default:
      return undefined
  }
}

/** An estimate with its 95 % interval. */
function Estimate({ estimate, standardError, trials }: ToolOutput<typeof monteCarlo>): ReactNode {
  const half = 1.96 * standardError
  const digits = Math.min(8, Math.max(2, Math.ceil(-Math.log10(half || 1e-8)) + 1))
  const value = (number: number): string => number.toFixed(digits)
  return (
    <div className="estimate">
      <p className="estimate-value">{value(estimate)}</p>
      <p className="quiet">
        95 % interval {value(estimate - half)} to {value(estimate + half)} · {formatCount(trials)}{' '}
        trials
      </p>
    </div>
  )
}

/** A whole checksum, so that it can be compared. */
function Checksum({ hash, algorithm, file, bytes }: ToolOutput<typeof hashFile>): ReactNode {
  return (
    <>
      <p className="hash-value">{hash}</p>
      <p className="quiet">
        {algorithm.toUpperCase()} of {file}, {formatBytes(bytes)}
      </p>
    </>
  )
}
