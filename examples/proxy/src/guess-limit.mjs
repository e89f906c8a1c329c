import { Refusal } from './refusal.mjs'

const windowMs = 60_000
const maxWrong = 20
/** Who has more addresses than this can guess a little more often, but not fill the memory. */
const maxAddresses = 10_000

/**
 * @typedef {boolean | string} Verdict Whether a token is right, or whose it is.
 * @typedef {() => Verdict | Promise<Verdict>} Look
 *
 * @typedef {object} Gate The requests of one network whose tokens are not judged yet.
 * @property {number} users
 * @property {number} open How many of them are being looked at.
 * @property {(() => void)[]} waiting
 */

/**
 * Slows down who guesses tokens: after 20 wrong ones from an address, no token from there is looked at until the
 * minute is over. Tokens that could be the 20th wrong one together wait for each other, however many come at once.
 *
 * @returns {(address: string, look: Look) => Promise<Verdict>} What `look` says.
 *   Rejects with a `Refusal`, and as `look` does.
 */
export function createGuessLimit() {
  /** @type {Map<string, number>} */
  const wrong = new Map()
  /** @type {Map<string, Gate>} */
  const gates = new Map()
  let startedAt = performance.now()

  const check = (/** @type {string} */ network) => {
    const leftMs = startedAt + windowMs - performance.now()
    if (leftMs <= 0) {
      wrong.clear()
      startedAt = performance.now()
    } else if ((wrong.get(network) ?? 0) >= maxWrong) {
      throw new Refusal(429, 'Too many wrong tokens came from your address. Try again later.', {
        'retry-after': String(Math.ceil(leftMs / 1000)),
      })
    }
  }
  const countWrong = (/** @type {string} */ network) => {
    const count = (wrong.get(network) ?? 0) + 1
    const [oldest] = wrong.keys()
    if (oldest !== undefined && wrong.size >= maxAddresses) wrong.delete(oldest)
    wrong.set(network, count)
  }

  const judge = async (
    /** @type {string} */ network,
    /** @type {Gate} */ gate,
    /** @type {Look} */ look,
  ) => {
    check(network)
    while ((wrong.get(network) ?? 0) + gate.open >= maxWrong) {
      await new Promise((resolve) => gate.waiting.push(() => resolve(undefined)))
      check(network)
    }
    gate.open += 1
    try {
      const verdict = await look()
      if (!verdict) countWrong(network)
      return verdict
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) countWrong(network)
      throw error
    } finally {
      gate.open -= 1
      for (const goOn of gate.waiting.splice(0)) goOn()
    }
  }

  return async (address, look) => {
    const network = networkOf(address)
    const gate = gates.get(network) ?? { users: 0, open: 0, waiting: [] }
    gates.set(network, gate)
    gate.users += 1
    try {
      return await judge(network, gate, look)
    } finally {
      gate.users -= 1
      if (gate.users === 0) gates.delete(network)
    }
  }
}

/** Of an IPv6 address the first half: one household has all of the second. @param {string} address */
function networkOf(address) {
  const given = withoutPort(address.slice(0, 64)).replace(/^::ffff:/, '')
  if (!given.includes(':')) return given
  const [start = ''] = given.split('::')
  return [...start.split(':'), '0', '0', '0'].slice(0, 4).join(':')
}

/** Some servers in front write `1.2.3.4:5678` or `[2001:db8::1]:5678`. @param {string} address */
function withoutPort(address) {
  const [, inBrackets] = /^\[(.*)\]/.exec(address) ?? []
  return inBrackets ?? address.replace(/^([^:]*):\d+$/, '$1')
}
