import { cloneElement, createElement, isValidElement, type ReactNode } from 'react'
import { type Code, CodeBlock, MarkdownTable, type TableProps } from './block.tsx'
import { closeOpenMarks } from './close-open-marks.ts'
import { type ParsedBlock, parseBlocks } from './parse-blocks.ts'
import { countNodes, readWindow, type Window } from './read-window.ts'

const mostBlocks = 2000
const mostNodes = 30_000
const unread = { blocks: [] as readonly ReactNode[], end: 0, nodes: 0, isFull: false }
const nothing: Read = { blocks: [], code: undefined, nodes: 0, text: '', carry: '' }

/** What was read for good: its blocks, how much they are, their text, and what goes in front of the rest. */
interface Read extends Drawn {
  readonly nodes: number
  readonly text: string
  readonly carry: string
}

interface Drawn {
  readonly blocks: readonly ReactNode[]
  /** The last block, if it is code. */
  readonly code: Code | undefined
}

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
          ...drawn(closed, window.closed, window.isMore),
          nodes: closed.nodes + countNodes(window.closed),
          text: text.slice(0, end),
          carry: window.carry,
        }
      }
      const tail = growing ? withoutOpenMarks(window) : window.tail
      last = {
        blocks: drawn(closed, tail, window.isMore && end === before).blocks,
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

/** Adds blocks to those before. If the first one goes on with the last before, which was cut, both are one for people. */
function drawn(before: Drawn, added: readonly ParsedBlock[], isMore: boolean): Drawn {
  const [first, ...others] = added
  if (!first) return before
  const elements = others.map(({ element }) => element)
  const whole = isMore && before.code && first.code ? joined(before.code, first.code) : undefined
  const code = others.length > 0 ? others.at(-1)?.code : (whole ?? first.code)
  if (!whole) {
    const element = isMore ? asMore(first.element) : first.element
    return { blocks: [...before.blocks, element, ...elements], code }
  }
  return {
    blocks: [...before.blocks.slice(0, -1), createElement(CodeBlock, whole), ...elements],
    code,
  }
}

function joined(start: Code, { pieces }: Code): Code {
  return { ...start, pieces: [...start.pieces, ...pieces] }
}

/** A table with the button for what it goes on with. */
function asMore(element: ReactNode): ReactNode {
  const isTable = isValidElement<TableProps>(element) && element.type === MarkdownTable
  return isTable ? cloneElement(element, { isMore: true }) : element
}

function withoutOpenMarks({ tail, source, isMore }: Window): readonly ParsedBlock[] {
  const last = tail.at(-1)
  if (!last) return tail
  const raw = source.slice(last.start)
  const completed = closeOpenMarks(raw)
  const isStillMore = isMore && last.start === 0
  return completed === raw ? tail : [...tail.slice(0, -1), ...parseBlocks(completed, isStillMore)]
}
