/** A piece of a document under one heading. */
export interface Section {
  readonly file: string
  /** The heading, with those above it. */
  readonly heading: string
  readonly body: string
}

const mostChars = 1500

/**
 * Cuts a text at its Markdown headings, and long pieces at the ends of lines. A `#` in a block of code is no heading.
 */
export function sectionsOf(file: string, text: string): readonly Section[] {
  const path: string[] = []
  const sections: Section[] = []
  let lines: string[] = []
  let fence = ''
  const end = (): void => {
    const heading = path.filter((one) => one !== '').join(' › ')
    for (const body of piecesOf(lines.join('\n'))) sections.push({ file, heading, body })
    lines = []
  }
  for (const line of text.split(/\r?\n/)) {
    const [, mark = ''] = /^\s*(```+|~~~+)/.exec(line) ?? []
    if (mark !== '' && (fence === '' || mark.startsWith(fence))) {
      fence = fence === '' ? mark : ''
      continue
    }
    const [, level, title] = (fence === '' && /^(#{1,6}) +(.+?)\s*#*$/.exec(line)) || []
    if (level === undefined || title === undefined) {
      lines.push(fence === '' ? plain(line) : line)
      continue
    }
    end()
    path.length = Math.min(path.length, level.length - 1)
    path[level.length - 1] = plain(title)
  }
  end()
  return sections
}

/** Pieces that end at the end of a line, for instance a few points of a long list. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  for (const line of text.trim().split('\n')) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + line.length < mostChars)
      pieces[pieces.length - 1] = `${last}\n${line}`
    else pieces.push(...(line.match(/[\s\S]{1,20000}/g) ?? []))
  }
  return pieces.filter((piece) => piece.trim() !== '')
}

/** A line without the marks of Markdown: links keep their words, and cells of a table stand in a row. */
function plain(line: string): string {
  const words = line.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\*\*|`/g, '')
  if (!words.startsWith('|')) return words.replace(/^(\s*)[-*+] /, '$1• ')
  const cells = words.split('|').map((cell) => cell.trim())
  return cells.filter((cell) => /[^:-]/.test(cell)).join(' · ')
}
