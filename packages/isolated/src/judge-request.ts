import { BrokerError } from './broker-error.ts'
import type { AskedRequest } from './broker-protocol.ts'
import type { NetworkRules } from './network.ts'

/** How long a query string may be: enough to ask a question, little to carry data away. */
const maxQueryChars = 2048

/** The address of a request that may be made. Throws a `BrokerError` for any other. */
export function judgeRequest(asked: AskedRequest, rules: NetworkRules): URL {
  if (!URL.canParse(asked.url)) throw new BrokerError('invalid_url', invalidText)
  const url = new URL(asked.url)
  const { origin, protocol, username, password, search } = url
  if (!/^https?:$/.test(protocol)) throw new BrokerError('invalid_url', invalidText)
  if (username !== '' || password !== '') {
    throw new BrokerError('userinfo', 'The address has a user name or a password in it.')
  }
  if (rules.never.has(origin)) {
    throw new BrokerError('provider', `${origin} answers for models, and tools never ask it.`)
  }
  if (!rules.origins.has(origin)) {
    const declared = [...rules.origins].join(', ')
    throw new BrokerError('origin', `${origin} was not declared. Tools may ask: ${declared}.`)
  }
  if (!rules.methods.has(asked.method)) {
    const declared = [...rules.methods].join(', ')
    throw new BrokerError('method', `${asked.method} was not declared. Tools may use: ${declared}.`)
  }
  if (search.length > maxQueryChars) {
    throw new BrokerError('query_too_long', `The query has over ${maxQueryChars} characters.`)
  }
  if ((asked.body?.byteLength ?? 0) > rules.maxBytes) {
    throw new BrokerError('too_large', `The request has over ${rules.maxBytes} bytes.`)
  }
  return url
}

const invalidText = 'It is no absolute address that begins with https://.'
