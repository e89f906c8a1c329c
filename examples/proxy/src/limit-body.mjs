import { checkShape } from './check-shape.mjs'
import { Refusal } from './refusal.mjs'

/**
 * What one request may ask for.
 *
 * @typedef {object} Limits
 * @property {readonly string[]} models
 * @property {number} maxTokens How many tokens one answer may have.
 * @property {number} maxBodyBytes
 * @property {number} maxBodyMs How long a body may take to arrive.
 * @property {number} maxSilenceMs How long nothing may come from the provider.
 */

/**
 * A body that may go out, and what it says about tokens.
 *
 * @typedef {object} LimitedBody
 * @property {string} text
 * @property {number | null} askedTokens What the page asked for; `null` if it did not say.
 * @property {number} maxTokens What it gets.
 */

/**
 * Holds a body to the limits. It is written again from its checked fields, so that nothing unchecked goes out.
 *
 * @param {string} text
 * @param {Pick<import('./providers.mjs').Provider, 'fields' | 'tokenFields'>} provider
 * @param {Limits} limits
 * @returns {LimitedBody}
 */
export function limitBody(text, { fields, tokenFields }, limits) {
  const body = parseObject(text)
  checkModel(body['model'], limits)
  const known = new Set([...fields, ...tokenFields])
  const unknown = Object.keys(body).find((field) => !known.has(field))
  if (unknown !== undefined) throw notTaken(unknown)
  const asked = tokenFields.filter((field) => body[field] != null)
  const counts = asked.map((field) => readCount(field, body[field]))
  const maxTokens = Math.min(limits.maxTokens, ...counts)
  const limited = asked.length > 0 ? asked : tokenFields.slice(0, 1)
  const { tools } = body
  const sent = {
    ...body,
    ...(tools != null && { tools: listOf(tools).map((tool) => limitTool(tool, limits)) }),
    ...Object.fromEntries(limited.map((field) => [field, maxTokens])),
  }
  return {
    text: JSON.stringify(sent),
    askedTokens: counts.length > 0 ? Math.min(...counts) : null,
    maxTokens,
  }
}

/** @param {unknown} model @param {Limits} limits */
function checkModel(model, { models }) {
  if (typeof model === 'string' && models.includes(model)) return
  throw new Refusal(403, 'This server does not offer that model.')
}

/**
 * A tool of a provider may ask another model, with a limit of its own.
 *
 * @param {unknown} tool
 * @param {Limits} limits
 */
function limitTool(tool, limits) {
  if (!isObject(tool)) throw new Refusal(400, 'Each of "tools" must be an object.')
  if (tool['model'] === undefined) return tool
  checkModel(tool['model'], limits)
  const asked = tool['max_tokens'] ?? limits.maxTokens
  return { ...tool, max_tokens: Math.min(readCount('max_tokens', asked), limits.maxTokens) }
}

/** What is no list is not looked through, so it must not go out. @param {unknown} tools @returns {readonly unknown[]} */
function listOf(tools) {
  if (Array.isArray(tools)) return tools
  throw new Refusal(400, '"tools" must be a list.')
}

/**
 * @param {string} text
 * @returns {Readonly<Record<string, unknown>>}
 */
function parseObject(text) {
  checkShape(text)
  /** @type {unknown} */
  let value
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message quotes the body.
    throw new Refusal(400, 'The body is not JSON.')
  }
  if (isObject(value)) return value
  throw new Refusal(400, 'The body is not a JSON object.')
}

/** @param {unknown} value @returns {value is Readonly<Record<string, unknown>>} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * @param {string} field
 * @returns {Refusal}
 */
function notTaken(field) {
  const name = /^\w{1,40}$/.test(field) ? `"${field}"` : 'one of the fields'
  return new Refusal(400, `This server does not take ${name}.`)
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
