import type { Command } from './page-commands.tsx'

/** The commands that have all words of the query, those first whose name begins with it. */
export function found(commands: readonly Command[], query: string): readonly Command[] {
  const asked = query.trim().toLowerCase()
  const words = asked.split(/\s+/)
  const fitting = commands.filter(({ name, also = '' }) => {
    const text = `${name} ${also}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const beginsWithIt = ({ name }: Command) => name.toLowerCase().startsWith(asked)
  return [...fitting.filter(beginsWithIt), ...fitting.filter((one) => !beginsWithIt(one))]
}
