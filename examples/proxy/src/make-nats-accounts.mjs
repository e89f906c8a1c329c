/**
 * `node src/make-nats-accounts.mjs FOLDER NAME…`: an account at a NATS server for each name. Writes to the folder what the
 * server includes (`accounts.conf`), what the proxy reads (`accounts.json`), and what neither needs (`operator.json`,
 * `system.json`). Accounts that are there stay: run it again with more names, and then `nats-server --signal reload`.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createAccount,
  createOperator,
  encodeAccount,
  encodeOperator,
  fromSeed,
} from '@nats-io/jwt'
import { readNatsSeeds } from './nats-seeds.mjs'

/** What one user may have at the server. -1: as much as there is. */
const limits = {
  ...{ conn: 20, subs: 1000, data: -1, payload: -1, imports: 0, exports: 0, wildcards: false },
  ...{ streams: 3, consumer: 200, disk_storage: 1024 ** 3, mem_storage: 16 * 1024 ** 2 },
}

const [folder = '', ...names] = process.argv.slice(2)
if (names.length === 0) {
  console.error('Say where, and who: node src/make-nats-accounts.mjs nats ada bob')
  process.exit(1)
}
mkdirSync(folder, { recursive: true })
const [operator = createOperator()] = keysIn('operator.json', ['operator'], createOperator).values()
// No one signs in to it here, but a server with accounts has to have one.
const [system = createAccount()] = keysIn('system.json', ['system'], createAccount).values()
const accounts = keysIn('accounts.json', names, createAccount)

const preloaded = [
  `${system.getPublicKey()}: ${await encodeAccount('system', system, {}, { signer: operator })}`,
]
for (const [name, key] of accounts) {
  preloaded.push(
    `${key.getPublicKey()}: ${await encodeAccount(name, key, { limits }, { signer: operator })}`,
  )
}
const config = `operator: ${await encodeOperator('offthread', operator)}
system_account: ${system.getPublicKey()}
resolver: MEMORY
resolver_preload {
  ${preloaded.join('\n  ')}
}
`
writeFileSync(join(folder, 'accounts.conf'), config)
console.log(`${folder} has the accounts of ${[...accounts.keys()].join(', ')}.`)

/**
 * The keys in a file, which gets those that it lacks.
 *
 * @param {string} name
 * @param {readonly string[]} wanted
 * @param {typeof createAccount} create
 */
function keysIn(name, wanted, create) {
  const file = join(folder, name)
  const seeds = new Map(existsSync(file) ? readNatsSeeds(file) : [])
  for (const one of wanted) {
    if (!seeds.has(one)) seeds.set(one, new TextDecoder().decode(create().getSeed()))
  }
  const text = JSON.stringify(Object.fromEntries(seeds), null, 2)
  writeFileSync(file, `${text}\n`, { mode: 0o600 })
  return new Map([...seeds].map(([one, seed]) => [one, fromSeed(new TextEncoder().encode(seed))]))
}
