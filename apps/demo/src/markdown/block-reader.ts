import type { ReactNode } from 'react'
import { closeOpenMarks } from './close-open-marks.ts'
import type { ParsedBlock } from './parse-blocks.ts'
import { parseBlocks } from './parse-blocks.ts'
import { countNodes, readWindow } from './read-window.ts'

/** What can be shown of a text. */
interface ReadText {
  readonly blocks: readonly ReactNode[]
  /** How much of the text the blocks hold. */
  readonly end: number
  /** The rest does not become blocks: it is too much. Otherwise the next read returns more of it. */
  readonly isFull: boolean
}

/** Reads growing markdown into its top-level blocks. */
export interface BlockReader {
  /**
   * Reads a limited amount more. If the text continues the previous one, only its end is parsed. `growing`: more will
   * follow, so marks that are open at the end are closed.
   */
  readonly read: (text: string, growing: boolean) => ReadText
}

const mostBlocks = 2000
const mostNodes = 30_000
const nothing = { blocks: [] as readonly ReactNode[], nodes: 0, text: '', carry: '' }

/** Closed blocks are not parsed again. They stay the same elements, which React does not render again. */
export function createBlockReader(): BlockReader {
  let closed = nothing
  const isFull = (): boolean => closed.blocks.length >= mostBlocks || closed.nodes >= mostNodes
  return {
    read: (text, growing) => {
      if (!text.startsWith(closed.text)) closed = nothing
      const before = closed.text.length
      if (isFull()) return { blocks: closed.blocks, end: before, isFull: true }
      const window = readWindow(text.slice(before), closed.carry)
      const end = before + window.length
      if (end > before) {
        closed = {
          blocks: [...closed.blocks, ...elementsOf(window.closed)],
          nodes: closed.nodes + countNodes(window.closed),
          text: text.slice(0, end),
          carry: window.carry,
        }
      }
      const tail = growing ? withoutOpenMarks(window.tail, window.source) : window.tail
      return {
        blocks: [...closed.blocks, ...elementsOf(tail)],
        end: tail.length > 0 ? text.length : end,
        isFull: isFull(),
      }
    },
  }
}

function elementsOf(blocks: readonly ParsedBlock[]): readonly ReactNode[] {
  return blocks.map(({ element }) => element)
}

function withoutOpenMarks(tail: readonly ParsedBlock[], source: string): readonly ParsedBlock[] {
  const last = tail.at(-1)
  if (!last) return tail
  const raw = source.slice(last.start)
  const completed = closeOpenMarks(raw)
  return completed === raw ? tail : [...tail.slice(0, -1), ...parseBlocks(completed)]
}
