import { isImageName } from '../files/file-kinds.ts'
import { madeTables } from '../tools/made-tables/names.ts'

/** A tool call to make. `json` is streamed as it is, also when it is no JSON: the tool's check says so. */
export interface PlannedCall {
  readonly name: string
  readonly json: string
}

export function toCall(name: string, input: object): PlannedCall {
  return { name, json: JSON.stringify(input) }
}

/** The parts of a question that ask for a tool by what it does, and what is left: “estimate pi and hash the file”. */
export function readDirectCalls(question: string, files: readonly string[]) {
  // The question is read as a whole first, because the name of a file may contain “and”.
  const whole = readPart(question, files)
  if (whole.length > 0) return { calls: whole, rest: '' }
  const parts = withoutNames(question, files, (text) => text.split(/(\s*(?:,? and |[,;\n])\s*)/i))
  const found = parts.map((part) => readPart(part.trim(), files))
  // Parts and the words between them alternate: such a word goes with the part before it.
  const rest = parts.filter((_, at) => found[at - (at % 2)]?.length === 0).join('')
  return { calls: found.flat(), rest: rest.replace(/(?:,? and|[,;])\s*$/i, '').trim() }
}

/** Cuts a text, but no name of a file in it, the longest first. */
function withoutNames(
  text: string,
  files: readonly string[],
  cut: (text: string) => readonly string[],
): readonly string[] {
  const names = files.toSorted((one, other) => other.length - one.length)
  const masked = names.reduce((all, name, at) => all.replaceAll(name, `\u{0}${at}\u{0}`), text)
  return cut(masked).map((part) => part.replace(/\0(\d+)\0/g, (_, at) => names[Number(at)] ?? ''))
}

function readPart(part: string, files: readonly string[]): readonly PlannedCall[] {
  for (const [pattern, toCalls] of phrases) {
    const [whole, ...groups] = pattern.exec(part.replace(/[.!?]$/, '')) ?? []
    if (whole === undefined) continue
    const [what = '', detail = ''] = groups.map((group) => group ?? '')
    return toCalls(what, detail, files)
  }
  return []
}

type ToCalls = (what: string, detail: string, files: readonly string[]) => readonly PlannedCall[]

/** The ways to ask for a tool by what it does: an object, then a detail. The first that fits is taken. */
const phrases: readonly (readonly [RegExp, ToCalls])[] = [
  [
    /^estimate (?:pi|π)(?: with (\d+(?: [mb]illion)?) samples)?((?: in \d+ parts)?(?: from seed \d+)?)$/i,
    estimatePi,
  ],
  [/^(?:draw|render) the mandelbrot set(?: in (\d+) tiles)?$/i, (tiles) => tilesOf(tiles || '8')],
  [
    /^search the doc(?:s|uments|umentation) for (.+)$/i,
    (query) => [toCall('search_docs', { query })],
  ],
  [/^where did the time go$/i, () => [toCall('sql_query', { sql: timeSql })]],
  [/^load only the ragged rows of (.+)$/i, forFiles('load_table', () => ({ ragged: 'show' }))],
  [/^load (.+) without ragged rows$/i, forFiles('load_table', () => ({ ragged: 'skip' }))],
  [/^load (.+) with padded rows$/i, forFiles('load_table', () => ({ ragged: 'pad' }))],
  [
    /^load (.+) with (comma|semicolon|tab|bar)s$/i,
    forFiles('load_table', (delimiter) => ({ delimiter: delimiter.toLowerCase() })),
  ],
  [/^load (.+)$/i, forFiles('load_table')],
  [/^hash (.+)$/i, forFiles('hash_file')],
  [/^compress (.+)$/i, forFiles('compress_file')],
  [/^make (.+) gr[ae]yscale$/i, forFiles('edit_image', () => ({ grayscale: true }))],
  [/^resize (.+) to (\d+)(?: pixels)?$/i, forFiles('edit_image', (width) => ({ width: +width }))],
  [
    /^rotate (.+?)(?: by (90|180|270)(?: degrees)?)?$/i,
    forFiles('edit_image', (degrees) => ({ rotate: Number(degrees || 90) })),
  ],
  [
    /^blur (.+?)(?: by (\d+)(?: pixels)?)?$/i,
    forFiles('edit_image', (radius) => ({ blur: Number(radius || 8) })),
  ],
  [
    /^convert (.+) to (png|jpe?g|webp)$/i,
    forFiles('edit_image', (format) => ({ format: format.toLowerCase().replace('jpg', 'jpeg') })),
  ],
]

/** Calls of a tool for each of the files that are meant, with what the detail says. */
function forFiles(tool: string, toOptions: (detail: string) => object = () => ({})): ToCalls {
  return (what, detail, files) => {
    const name = what.replace(/^the /i, '')
    const isAll = /^(?:(?:both|all|all the) )?(?:file|image)s?$/i.test(name)
    const able = tool === 'edit_image' ? files.filter(isImageName) : files
    const made = tool === 'load_table' ? madeTables.filter((one) => one === name.toLowerCase()) : []
    const named = able.filter((file) => isAll || file === what || file === name)
    const meant = named.length > 0 ? named : made
    return meant.map((file) => toCall(tool, { file, ...toOptions(detail) }))
  }
}

function estimatePi(samples: string, detail: string): readonly PlannedCall[] {
  const factor = /million/i.test(samples) ? 1e6 : /billion/i.test(samples) ? 1e9 : 1
  const trials = Number.parseInt(samples, 10) * factor
  const numberAfter = (word: RegExp) => word.exec(detail)?.[1]
  const [parts, seed] = [numberAfter(/in (\d+)/i), numberAfter(/seed (\d+)/i)]
  const input = {
    experiment: 'pi',
    ...(samples !== '' && { trials }),
    ...(seed !== undefined && { seed: Number(seed) }),
  }
  if (parts === undefined) return [toCall('monte_carlo', input)]
  if (Number(parts) < 1 || Number(parts) > 8) return []
  return Array.from({ length: Number(parts) }, (_, at) =>
    toCall('monte_carlo', { ...input, parts: Number(parts), part: at + 1 }),
  )
}

/** A picture in this many tiles, as near to square as possible. Nothing where they are too many. */
function tilesOf(text: string): readonly PlannedCall[] {
  const count = Number(text)
  const rows = [8, 7, 6, 5, 4, 3, 2].find((some) => some * some <= count && count % some === 0) ?? 1
  const columns = count / rows
  if (columns < 1 || columns > 8) return []
  return Array.from({ length: count }, (_, at) => {
    const tile = { column: at % columns, row: Math.floor(at / columns) }
    return toCall('render_fractal', { ...tile, columns, rows })
  })
}

const timeSql =
  'SELECT tool, COUNT(*) AS calls, SUM(run_ms) AS run_ms, SUM(start_ms) AS start_ms, SUM(queued_ms) AS queued_ms FROM calls WHERE run_ms IS NOT NULL GROUP BY tool ORDER BY run_ms DESC'
