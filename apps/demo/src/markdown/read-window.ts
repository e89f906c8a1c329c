import { placeToCut } from '../text/place-to-cut.ts'
import { asWritten } from './block.tsx'
import { type ParsedBlock, parseBlocks } from './parse-blocks.ts'

/** The first part of a text, parsed. */
export interface Window {
  /** Blocks that nothing can change any more. */
  readonly closed: readonly ParsedBlock[]
  /** How many characters of the text the closed blocks took. */
  readonly length: number
  /** The blocks at the end of the text, if this window reaches it. */
  readonly tail: readonly ParsedBlock[]
  /** The text that was parsed, with `carry` in front of it. */
  readonly source: string
  /** The text that goes in front of the rest, because the last closed block was cut. */
  readonly carry: string
  /** Whether the first block goes on with the last one before this window, which was cut. */
  readonly isMore: boolean
}

const largest = 6000
const sampleSize = 1000
const smallest = 300
const mostNodes = 1000

/**
 * Parses as much of a text as one frame of the page can bear, counted in characters and in what they become. A block
 * is closed when two more have started: until then the next characters can still change where it ends (`2` may become
 * `2.` and so the list's next item). A block that is larger than the window is cut.
 */
export function readWindow(text: string, carry: string): Window {
  const { source, blocks, isWhole } = fittingStart(text, carry)
  const settled = isWhole ? blocks.length - 2 : Math.max(1, blocks.length - 1)
  const isMore = carry !== ''
  if (settled <= 0) return { closed: [], length: 0, tail: blocks, source, carry, isMore }
  const length = (blocks[settled]?.start ?? source.length) - carry.length
  // Nothing continues the block that was cut.
  if (length <= 0) return readWindow(text, '')
  const isCut = settled >= blocks.length
  const isInList = source.endsWith('\n') && text[length] === ' '
  return {
    closed: blocks.slice(0, settled),
    length,
    tail: isWhole ? blocks.slice(settled) : [],
    source,
    carry: (isCut && (blocks[0]?.carry || (isInList && blocks[0]?.marks))) || '',
    isMore,
  }
}

type Start = ReturnType<typeof parseStart>

/** A sample shows first how much will fit, so that little is parsed in vain. */
function fittingStart(text: string, carry: string): Start {
  let start = parseStart(text, carry, sampleSize)
  if (!start.isWhole) start = parseStart(text, carry, sizeFor(start))
  while (start.nodes > mostNodes) {
    const size = sizeFor(start)
    start = parseStart(text, carry, size)
    if (size === smallest && start.nodes > mostNodes)
      return { ...start, blocks: whole(start.source) }
  }
  return start
}

/**
 * The size of the text to read. It is somewhat smaller than what would fit if all of the text were as rich as its
 * start, and so smaller than a start that did not fit.
 */
function sizeFor({ length, nodes }: Start): number {
  const size = Math.floor((0.8 * length * mostNodes) / (nodes + 1))
  return Math.max(smallest, Math.min(largest, size))
}

function parseStart(text: string, carry: string, size: number) {
  const length = placeToCut(text, size)
  const source = carry + text.slice(0, length)
  const blocks = parsed(source, carry !== '')
  return { source, length, blocks, nodes: countNodes(blocks), isWhole: text.length <= size }
}

export function countNodes(blocks: readonly ParsedBlock[]): number {
  return blocks.reduce((sum, { nodes }) => sum + nodes, 0)
}

/** A text at which the parser fails is shown unparsed. */
function parsed(source: string, isMore: boolean): readonly ParsedBlock[] {
  try {
    return parseBlocks(source, isMore)
  } catch {
    return whole(source)
  }
}

function whole(source: string): readonly ParsedBlock[] {
  return [{ ...asWritten(source), start: 0, carry: '', marks: '' }]
}
