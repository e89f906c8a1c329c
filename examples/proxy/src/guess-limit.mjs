import { Refusal } from './refusal.mjs'

const windowMs = 60_000
const maxWrong = 20
/** Who has more addresses than this can guess a little more often, but not fill the memory. */
const maxAddresses = 10_000

/**
 * Slows down who guesses tokens: after 20 wrong ones from an address, no token from there is looked at until the
 * minute is over.
 *
 * @returns {{ check: (address: string) => void, countWrong: (address: string) => void }} `check` throws a `Refusal`.
 */
export function createGuessLimit() {
  /** @type {Map<string, number>} */
  const wrong = new Map()
  let startedAt = performance.now()
  return {
    check: (address) => {
      const leftMs = startedAt + windowMs - performance.now()
      if (leftMs <= 0) {
        wrong.clear()
        startedAt = performance.now()
      } else if ((wrong.get(networkOf(address)) ?? 0) >= maxWrong) {
        throw new Refusal(429, 'Too many wrong tokens came from your address. Try again later.', {
          'retry-after': String(Math.ceil(leftMs / 1000)),
        })
      }
    },
    countWrong: (address) => {
      const network = networkOf(address)
      const count = (wrong.get(network) ?? 0) + 1
      const [oldest] = wrong.keys()
      if (oldest !== undefined && wrong.size >= maxAddresses) wrong.delete(oldest)
      wrong.set(network, count)
    },
  }
}

/** Of an IPv6 address the first half: one household has all of the second. @param {string} address */
function networkOf(address) {
  const given = address.slice(0, 64).replace(/^::ffff:/, '')
  if (!given.includes(':')) return given
  const [start = ''] = given.split('::')
  return [...start.split(':'), '0', '0', '0'].slice(0, 4).join(':')
}
