import type { ToolInput } from '@offthread/core'
import { Allow, parse } from 'partial-json'
import { counted, formatBytes, formatCount } from '../text/quantity.ts'
import type { monteCarlo } from '../tools/definitions.ts'
import type { renderFractal } from '../tools/fractal/render-fractal-definition.ts'
import type { DemoCall } from '../tools/host-tools.ts'
import type { editImage } from '../tools/images/edit-image-definition.ts'
import { type CallSummary, oneLine, plainFields, plainSummary } from './call-summary.ts'
import { gridOf } from './results/fractal-picture.tsx'

/** The line on a card. It never shows raw JSON. */
export function summarise(call: DemoCall): CallSummary {
  const { asked, code } = call.hasValidArgs ? askedOf(call) : writtenSoFar(call)
  const got = gotOf(call)
  return {
    asked: oneLine(asked),
    ...(code && { code }),
    ...(got !== undefined && { got: oneLine(got) }),
  }
}

function askedOf(call: DemoCall & { readonly hasValidArgs: true }): CallSummary {
  switch (call.toolName) {
    case 'sql_query':
      return { asked: call.args.sql, code: true }
    case 'load_table':
    case 'compress_file':
      return { asked: call.args.file }
    case 'hash_file':
      return { asked: `${call.args.file}, ${algorithmNames[call.args.algorithm ?? 'sha256']}` }
    case 'monte_carlo':
      return { asked: partText(call.args) + experimentName(call.args) + trialsText(call.args) }
    case 'run_js':
      return { asked: call.args.code, code: true }
    case 'search_docs':
      return { asked: call.args.query }
    case 'render_fractal':
      return { asked: tileName(call.args) }
    case 'edit_image':
      return { asked: [call.args.file, ...changesOf(call.args)].join(', ') }
    case 'plot':
      return { asked: call.args.title }
    default:
      return { asked: plainFields(call.args).join(', ') }
  }
}

/** The arguments while the model writes them, or those that do not fit the tool. */
function writtenSoFar({ toolName, args, argsText }: DemoCall): CallSummary {
  if (args !== undefined) return { asked: plainFields(args).join(', ') }
  const values = plainFields(partialJson(argsText)).map((field) => field.slice(field.indexOf(' ')))
  return { asked: values.join(','), ...(toolName === 'sql_query' && { code: true }) }
}

const fewBrackets = /^[^[{]*(?:[[{][^[{]*){0,50}/

/** JSON that is still being written. Of its values, only texts may be unfinished. */
function partialJson(json: string): unknown {
  try {
    // One line is shown, so the rest of a long query is not parsed with each of its pieces. Neither is what is nested
    // deeply: the parser throws an error for each level.
    const [start = ''] = fewBrackets.exec(json.slice(0, 2000)) ?? []
    return parse(start, Allow.OBJ | Allow.STR)
  } catch {
    return undefined
  }
}

function gotOf(call: DemoCall): string | undefined {
  if (!call.hasEnded || call.isError) return plainSummary(call).got
  switch (call.toolName) {
    case 'sql_query':
      return call.output && counted(call.output.rowCount, 'row')
    case 'load_table':
      return call.output && counted(call.output.rows, 'row')
    case 'hash_file':
      return call.output?.hash.slice(0, 12)
    case 'monte_carlo':
      return call.output && `≈ ${call.output.estimate.toPrecision(6)}`
    case 'compress_file':
      return call.output && formatBytes(call.output.compressedBytes)
    case 'run_js':
      return call.output?.value
    case 'search_docs':
      return call.output && counted(call.output.hits.length, 'place')
    case 'render_fractal':
      return call.output && `${Math.round(call.output.inside * 100)} % in the set`
    case 'edit_image':
      return call.output && `${call.output.width} × ${call.output.height}`
    case 'plot':
      return call.output && counted(call.output.points, 'point')
    default:
      return plainSummary(call).got
  }
}

const algorithmNames = { sha256: 'SHA-256', sha1: 'SHA-1', md5: 'MD5' }

type Experiment = ToolInput<typeof monteCarlo>

function experimentName({ experiment, people = 23, dice = 2, atLeast = 7 }: Experiment): string {
  switch (experiment) {
    case 'pi':
      return 'estimate of π'
    case 'birthday':
      return `shared birthday, ${formatCount(people)} ${people === 1 ? 'person' : 'people'}`
    case 'dice':
      return `${formatCount(dice)} dice, ${formatCount(atLeast)} or more`
  }
}

function trialsText({ trials }: Experiment): string {
  return trials === undefined ? '' : `, ${formatCount(trials)} trials`
}

function partText({ part = 1, parts = 1 }: Experiment): string {
  return parts === 1 ? '' : `part ${part} of ${parts}, `
}

function tileName(tile: ToolInput<typeof renderFractal>): string {
  const { columns, rows } = gridOf(tile)
  return `${tile.row * columns + tile.column + 1} of ${columns * rows}`
}

function changesOf(edit: ToolInput<typeof editImage>): readonly string[] {
  const { crop, width, height, rotate, grayscale, blur, format } = edit
  return [
    crop && 'a part',
    width && `${width} wide`,
    height && `${height} high`,
    rotate && `turned by ${rotate}°`,
    grayscale && 'grayscale',
    blur && 'blurred',
    format && `as ${format}`,
  ].filter((change) => typeof change === 'string')
}
