import { expect, test } from 'vitest'
import { readApiReport } from './read-api-report.mjs'

test('a report says which names an entry exports, and which of them and their members lack a docstring', () => {
  const read = readApiReport(`
// @public
export interface Documented {
    readonly known: string;
    // (undocumented)
    readonly unknown?: string;
    // (undocumented)
    readonly kind: 'literal';
    // (undocumented)
    run(input: unknown): void;
}

// @public (undocumented)
export function undocumented(): void;

// @public
export function overloaded(): void;

// @public (undocumented)
export function overloaded(one: string): void;

// @public (undocumented)
interface NotExported {
    // (undocumented)
    readonly member: string;
}

export { Listener_2 as Listener }
`)

  expect(read).toEqual({
    names: ['Documented', 'undocumented', 'overloaded', 'Listener'],
    undocumentedNames: ['undocumented'],
    undocumentedMembers: ['Documented.unknown', 'Documented.run'],
  })
})
