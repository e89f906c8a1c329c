import { Refusal } from './refusal.mjs'

/**
 * What one request may ask for.
 *
 * @typedef {object} Limits
 * @property {readonly string[]} models
 * @property {number} maxTokens How many tokens one answer may have.
 * @property {number} maxBodyBytes
 */

/**
 * A body that may go out, and what it says about tokens.
 *
 * @typedef {object} LimitedBody
 * @property {string} text
 * @property {number | null} askedTokens What the page asked for; `null` if it did not say.
 * @property {number} maxTokens What it gets.
 */

/** Fields that name further models to answer instead. */
const otherModels = ['models', 'fallbacks']

/**
 * Holds a body to the limits. It is written again from its checked fields, so that nothing unchecked goes out.
 *
 * @param {string} text
 * @param {readonly [string, ...string[]]} tokenFields
 * @param {Limits} limits
 * @returns {LimitedBody}
 */
export function limitBody(text, tokenFields, limits) {
  const body = parseObject(text)
  const { model } = body
  if (typeof model !== 'string' || !limits.models.includes(model)) {
    throw new Refusal(403, 'This server does not offer that model.')
  }
  for (const field of otherModels) {
    if (body[field] != null) throw new Refusal(400, `This server does not take "${field}".`)
  }
  if (body['n'] != null && body['n'] !== 1) {
    throw new Refusal(400, 'This server gives one answer to a request: leave out "n".')
  }
  const asked = tokenFields.filter((field) => body[field] != null)
  const counts = asked.map((field) => readCount(field, body[field]))
  const maxTokens = Math.min(limits.maxTokens, ...counts)
  const fields = asked.length > 0 ? asked : tokenFields.slice(0, 1)
  return {
    text: JSON.stringify({ ...body, ...Object.fromEntries(fields.map((f) => [f, maxTokens])) }),
    askedTokens: counts.length > 0 ? Math.min(...counts) : null,
    maxTokens,
  }
}

/**
 * @param {string} text
 * @returns {Readonly<Record<string, unknown>>}
 */
function parseObject(text) {
  /** @type {unknown} */
  let value
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message quotes the body.
    throw new Refusal(400, 'The body is not JSON.')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new Refusal(400, 'The body is not a JSON object.')
}

/**
 * @param {string} field
 * @param {unknown} value
 * @returns {number}
 */
function readCount(field, value) {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value
  throw new Refusal(400, `"${field}" must be a whole number above 0.`)
}
