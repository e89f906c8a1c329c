import { bearerToken } from './authenticate.mjs'
import { readNatsSeeds } from './nats-seeds.mjs'
import { providers } from './providers.mjs'

/**
 * @typedef {Readonly<Record<string, string | undefined>>} Environment
 *
 * @typedef {object} OwnSettings
 * @property {string} host
 * @property {number} port
 * @property {{ readonly accounts: ReadonlyMap<string, string>, readonly seconds: number }} [nats]
 */

/**
 * Reads the settings of the server; port 0 is any that is free. Throws a `TypeError` that names what is missing or wrong.
 *
 * @param {Environment} environment
 * @returns {Omit<import('./proxy.mjs').ProxySettings, 'log' | 'natsCredentials'> & OwnSettings}
 */
export function readSettings(environment) {
  const anthropic = readUpstream(environment, 'anthropic')
  const openai = readUpstream(environment, 'openai')
  const nats = readNats(environment)
  if (!anthropic && !openai && !nats) {
    throw new TypeError('There is no key. Set ANTHROPIC_API_KEY or OPENAI_API_KEY.')
  }
  const token = environment['PROXY_TOKEN'] ?? ''
  const addressHeader = environment['ADDRESS_HEADER']?.toLowerCase()
  if (token.length < 16) throw new TypeError('Set PROXY_TOKEN to 16 characters or more.')
  return {
    authenticate: bearerToken(token),
    origins: readList(environment, 'ALLOWED_ORIGINS').map(checkOrigin),
    limits: {
      models: readList(environment, 'ALLOWED_MODELS'),
      maxTokens: readCount(environment, 'MAX_TOKENS', 8192),
      maxBodyBytes: readCount(environment, 'MAX_BODY_BYTES', 8 * 1024 * 1024),
      maxBodyMs: readMs(environment, 'MAX_BODY_SECONDS', 60),
      maxSilenceMs: readMs(environment, 'MAX_SILENCE_SECONDS', 120),
    },
    ...(addressHeader && { addressHeader }),
    ...(nats && { nats }),
    upstreams: { ...(anthropic && { anthropic }), ...(openai && { openai }) },
    host: environment['HOST'] || '127.0.0.1',
    port: environment['PORT'] === '0' ? 0 : readCount(environment, 'PORT', 8787),
  }
}

const upstreamDefaults = {
  anthropic: { variable: 'ANTHROPIC_BASE_URL', baseURL: 'https://api.anthropic.com' },
  openai: { variable: 'OPENAI_BASE_URL', baseURL: 'https://api.openai.com/v1' },
}

/**
 * @param {Environment} environment
 * @param {import('./providers.mjs').Provider['name']} name
 * @returns {import('./upstream.mjs').Upstream | undefined}
 */
function readUpstream(environment, name) {
  const { keyName } = providers[name]
  const key = environment[keyName] ?? ''
  if (key === '') return undefined
  // An invalid header would fail later, with the key in the error.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError(`${keyName} has a character no key has.`)
  const { variable, baseURL } = upstreamDefaults[name]
  const given = environment[variable] || baseURL
  // With a name in it no request could be sent.
  if (!/^https?:\/\/[^/@]+(\/[^@]*)?$/.test(given) || !URL.canParse(given)) {
    throw new TypeError(`${variable} is no http or https URL, without a user name.`)
  }
  return { baseURL: given, key }
}

/**
 * @param {Environment} environment
 * @returns {OwnSettings['nats']}
 */
function readNats(environment) {
  const file = environment['NATS_ACCOUNTS'] ?? ''
  if (file === '') return undefined
  const seconds = readCount(environment, 'NATS_CREDENTIALS_SECONDS', 900)
  try {
    return { accounts: readNatsSeeds(file), seconds }
  } catch {
    throw new TypeError('NATS_ACCOUNTS names no file that make-nats-accounts.mjs has written.')
  }
}

/**
 * @param {Environment} environment
 * @param {string} name
 * @returns {readonly string[]}
 */
function readList(environment, name) {
  const items = (environment[name] ?? '').split(',').map((item) => item.trim())
  const filled = items.filter((item) => item !== '')
  if (filled.length > 0) return filled
  throw new TypeError(`Set ${name}: one or more, with a comma between them.`)
}

/**
 * @param {string} origin
 * @returns {string}
 */
function checkOrigin(origin) {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return origin
  throw new TypeError(`ALLOWED_ORIGINS: "${origin}" is no origin. Write https://example.com.`)
}

/** Node's own limits of a request, after which longer ones would not be met. */
const mostSeconds = 300

/**
 * @param {Environment} environment
 * @param {string} name
 * @param {number} otherwise Seconds.
 * @returns {number}
 */
function readMs(environment, name, otherwise) {
  const seconds = readCount(environment, name, otherwise)
  if (seconds <= mostSeconds) return seconds * 1000
  throw new TypeError(`${name} must be at most ${mostSeconds}.`)
}

/**
 * @param {Environment} environment
 * @param {string} name
 * @param {number} otherwise
 * @returns {number}
 */
function readCount(environment, name, otherwise) {
  const count = Number(environment[name] || otherwise)
  if (Number.isInteger(count) && count > 0) return count
  throw new TypeError(`${name} must be a whole number above 0.`)
}
