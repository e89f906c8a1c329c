/** Whether everything is tried (`npm run test:wire`), or a sample that is always the same. */
export const isWhole: boolean = process.env['WIRE_WHOLE'] === '1'

/** Every seventeenth number, with another start for each name, and always the last thirty: most faults are at the end. */
export function offsetsOf(length: number, name: string): readonly number[] {
  const all = Array.from({ length: length + 1 }, (_, offset) => offset)
  if (isWhole) return all
  const first = name.length % 17
  return all.filter((offset) => offset % 17 === first || offset > length - 30)
}
