import type { ToolOutput, ToolResult } from '@offthread/core'
import type { ReactNode } from 'react'
import { LongText } from '../../text/long-text.tsx'
import { formatBytes, formatCount } from '../../text/quantity.ts'
import type { compressFile, hashFile, monteCarlo } from '../../tools/definitions.ts'
import type { DemoCall } from '../../tools/host-tools.ts'
import type { editImage } from '../../tools/images/edit-image-definition.ts'
import { PlotFigure } from '../../tools/plot/plot-figure.tsx'
import { PlainResult } from '../plain-result.tsx'
import { ArtifactImage } from './artifact-image.tsx'
import { FractalPicture } from './fractal-picture.tsx'
import { QueryResult } from './query-result.tsx'
import { SearchHits } from './search-hits.tsx'
import { TableProfile } from './table-profile.tsx'

interface CallResultProps {
  readonly call: DemoCall
  readonly result: ToolResult
}

/** A result in the form that fits its tool. Results of other tools are shown as they are. */
export function CallResult({ call, result }: CallResultProps): ReactNode {
  return toolResult(call, result) ?? <PlainResult result={result} name={call.toolName} />
}

function toolResult(call: DemoCall, result: ToolResult): ReactNode | undefined {
  switch (call.toolName) {
    case 'sql_query':
      return call.output && <QueryResult query={call.output} />
    case 'load_table':
      return call.output && <TableProfile profile={call.output} />
    case 'monte_carlo':
      return call.output && <Estimate {...call.output} />
    case 'hash_file':
      return call.output && <Checksum {...call.output} />
    case 'compress_file':
      return call.output && <Compressed {...call.output} />
    case 'run_js':
      return call.output && <LongText text={call.output.value} name={call.toolName} />
    case 'search_docs':
      return call.output && <SearchHits {...call.output} />
    case 'render_fractal':
      return call.output && <FractalPicture call={call} />
    case 'edit_image':
      return call.output && <EditedImage edited={call.output} result={result} />
    case 'plot':
      return call.output && <PlotFigure plot={call.output} />
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
      <p className="small hash-value">{hash}</p>
      <p className="quiet">
        {algorithm.toUpperCase()} of {file}, {formatBytes(bytes)}
      </p>
    </>
  )
}

function Compressed({ file, bytes, compressedBytes }: ToolOutput<typeof compressFile>): ReactNode {
  const percent = Math.round((compressedBytes / bytes) * 100)
  return (
    <>
      <p className="estimate-value">{formatBytes(compressedBytes)}</p>
      <p className="quiet">
        {bytes > 0 && `${percent} % of `}
        {file}, which has {formatBytes(bytes)}
      </p>
    </>
  )
}

interface EditedImageProps {
  readonly edited: ToolOutput<typeof editImage>
  readonly result: ToolResult
}

function EditedImage({ edited, result }: EditedImageProps): ReactNode {
  const { name, width, height } = edited
  return (
    <>
      <ArtifactImage
        className="result-image"
        artifactId={result.artifacts?.[0]?.artifactId}
        alt={name}
        width={width}
        height={height}
      />
      <p className="quiet">
        {width} × {height} pixels
      </p>
    </>
  )
}
