import { createUser, encodeUser } from '@nats-io/jwt'
import { Refusal } from './refusal.mjs'

/**
 * What a page signs in to a NATS server with.
 *
 * @typedef {object} NatsCredentials
 * @property {string} jwt
 * @property {string} seed
 * @property {number} expiresAt In epoch milliseconds. The server ends the connection then.
 */

/**
 * Makes credentials of the account of a user, which are good for a short time. They are made for each page that asks,
 * and kept nowhere: what is stolen from one page is of no use when the time is over.
 *
 * @param {{ accounts: ReadonlyMap<string, string>, seconds: number }} settings The seed of each user's account, by name.
 * @returns {(user: string) => Promise<NatsCredentials>}
 */
export function createNatsCredentials({ accounts, seconds }) {
  return async (user) => {
    const seed = accounts.get(user)
    if (seed === undefined) throw new Refusal(403, 'You have no account at the NATS server.')
    const key = createUser()
    const expiry = Math.floor(Date.now() / 1000) + seconds
    const account = new TextEncoder().encode(seed)
    const jwt = await encodeUser(user, key, account, {}, { exp: expiry })
    return { jwt, seed: new TextDecoder().decode(key.getSeed()), expiresAt: expiry * 1000 }
  }
}
