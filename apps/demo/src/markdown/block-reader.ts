import type { ReactNode } from 'react'
import { closeOpenMarks } from './close-open-marks.ts'
import { type ParsedBlock, parseBlocks } from './parse-blocks.ts'
import { countNodes, readWindow } from './read-window.ts'

const mostBlocks = 2000
const mostNodes = 30_000
const unread = { blocks: [] as readonly ReactNode[], end: 0, nodes: 0, isFull: false }
const nothing = { blocks: [] as readonly ReactNode[], nodes: 0, text: '', carry: '' }

/**
 * Reads growing markdown into its top-level blocks. Closed blocks are not parsed again. They stay the same elements,
 * which React does not render again.
 */
export function createBlockReader() {
  let closed = nothing
  let last = unread
  const isFull = (): boolean => closed.blocks.length >= mostBlocks || closed.nodes >= mostNodes
  return {
    /**
     * Reads a limited amount more. If the text continues the previous one, only its end is parsed. `growing`: more
     * will follow, so marks that are open at the end are closed. Returns the blocks, and where they end in the text.
     * If that `isFull`, the rest is too much to become blocks; otherwise the next read returns more of it. `nodes`: how
     * many were read.
     */
    read: (text: string, growing: boolean): typeof unread => {
      if (!text.startsWith(closed.text)) closed = nothing
      const before = closed.text.length
      if (isFull()) {
        last = { blocks: closed.blocks, end: before, nodes: 0, isFull: true }
        return last
      }
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
      last = {
        blocks: [...closed.blocks, ...elementsOf(tail)],
        end: tail.length > 0 ? text.length : end,
        nodes: countNodes(window.closed) + countNodes(tail),
        isFull: isFull(),
      }
      return last
    },

    /** What the last read returned. */
    last: () => last,
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
