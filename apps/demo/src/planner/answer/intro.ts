import type { PlannedCall } from '../calls.ts'

/** What is said before tools are called directly. */
export function introOf(calls: readonly PlannedCall[]): string {
  return `Calling ${[...new Set(calls.map((call) => `\`${call.name}\``))].join(' and ')}.`
}

/** "Loading `a`." and "Loading `b`." become one sentence; each name is said once. */
export function joinIntros(intros: readonly string[]): string {
  const names = new Map<string, Set<string>>()
  for (const intro of intros) {
    const [verb = ''] = intro.split(' `', 1)
    const named = names.get(verb) ?? new Set()
    for (const name of intro.match(/`[^`]*`/g) ?? []) named.add(name)
    names.set(verb, named)
  }
  return [...names]
    .map(([verb, named]) => (named.size === 0 ? verb : `${verb} ${inWords([...named])}.`))
    .join(' ')
}

function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
