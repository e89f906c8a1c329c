import { readFileSync } from 'node:fs'

/**
 * The seeds that a file of `make-nats-accounts.mjs` holds, by name. Throws for any other file.
 *
 * @param {string} file
 * @returns {ReadonlyMap<string, string>}
 */
export function readNatsSeeds(file) {
  /** @type {unknown} */
  const value = JSON.parse(readFileSync(file, 'utf8'))
  const seeds = new Map(Object.entries(value ?? {}).map(([name, seed]) => [name, String(seed)]))
  if ([...seeds.values()].every((seed) => /^S[AO][A-Z2-7]{56}$/.test(seed))) return seeds
  throw new TypeError(`${file} has something else than seeds.`)
}
