/**
 * Where the first piece of a long text ends, at most `size` characters: before a line that is not indented, otherwise
 * before any line or word, otherwise anywhere.
 */
export function placeToCut(text: string, size: number): number {
  if (text.length <= size) return text.length
  const least = size / 2
  const line = text.lastIndexOf('\n', size - 1) + 1
  for (let at = line; at > least; at = text.lastIndexOf('\n', at - 2) + 1) {
    if (text[at] !== ' ' && text[at] !== '\n') return at
  }
  if (line > least) return line
  const word = text.lastIndexOf(' ', size - 1) + 1
  if (word > least) return word
  const splitsPair = /[\uD800-\uDBFF]/.test(text[size - 1] ?? '')
  return splitsPair ? size - 1 : size
}
