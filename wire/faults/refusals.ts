import type { Reply } from '../exchange.ts'

/** An error answer in the form of both vendors. */
interface Refusal {
  readonly status: number
  readonly anthropic: { readonly type: string; readonly message: string; readonly code?: string }
  readonly openai: { readonly type: string; readonly message: string; readonly code?: string }
  readonly headers?: Readonly<Record<string, string>>
}

/** Refuses the request as the row says; `why` replaces its message. */
export function refuse(name: string, why?: string): Reply {
  const refusal = refusals.get(name)
  if (!refusal) throw new TypeError(`There is no refusal "${name}".`)
  const { status, headers } = refusal
  return ({ protocol, response, begin }) => {
    const request = { 'request-id': 'req_1', 'x-request-id': 'req_1' }
    begin(status, { 'content-type': 'application/json', ...request, ...headers })
    const body = protocol === 'anthropic' ? anthropicBody(refusal, why) : openaiBody(refusal, why)
    response.end(JSON.stringify(body))
  }
}

/** The names of all refusals. */
export function isRefusal(name: string): boolean {
  return refusals.has(name)
}

function anthropicBody({ anthropic: { type, message, code } }: Refusal, why = message): object {
  const details = code === undefined ? {} : { details: { error_code: code } }
  return { type: 'error', error: { type, message: why, ...details }, request_id: 'req_1' }
}

function openaiBody({ openai: { type, message, code } }: Refusal, why = message): object {
  return { error: { message: why, type, param: null, code: code ?? null } }
}

const limited: Pick<Refusal, 'status' | 'anthropic' | 'openai'> = {
  status: 429,
  anthropic: { type: 'rate_limit_error', message: 'This would exceed your rate limit.' },
  openai: { type: 'requests', message: 'Rate limit reached.', code: 'rate_limit_exceeded' },
}

function broken(status: number, type: string): Refusal {
  const message = 'Something is wrong on our side.'
  return { status, anthropic: { type, message }, openai: { type: 'server_error', message } }
}

function later(retryAfter: string): Refusal {
  return { ...limited, headers: { 'retry-after': retryAfter } }
}

const refusals: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  [
    'illegal',
    {
      status: 400,
      anthropic: { type: 'invalid_request_error', message: '' },
      openai: { type: 'invalid_request_error', message: '' },
    },
  ],
  [
    'E1',
    {
      status: 400,
      anthropic: {
        type: 'invalid_request_error',
        message: 'temperature: range: 0..1',
      },
      openai: { type: 'invalid_request_error', message: 'temperature: range: 0..1' },
    },
  ],
  [
    'E2',
    {
      status: 400,
      anthropic: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 201021 tokens > 200000 maximum',
      },
      openai: {
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
        message: "This model's maximum context length is 128000 tokens.",
      },
    },
  ],
  [
    'E3',
    {
      status: 401,
      anthropic: { type: 'authentication_error', message: 'invalid x-api-key' },
      openai: {
        type: 'invalid_request_error',
        code: 'invalid_api_key',
        message: 'Incorrect API key provided.',
      },
    },
  ],
  [
    'E4-402',
    {
      status: 402,
      anthropic: { type: 'billing_error', message: 'Payment required.' },
      openai: { type: 'insufficient_credits', message: 'Insufficient credits.' },
    },
  ],
  [
    'E4-400',
    {
      status: 400,
      anthropic: {
        type: 'invalid_request_error',
        message: 'Your credit balance is too low to access the API.',
      },
      openai: {
        type: 'invalid_request_error',
        code: 'billing_hard_limit_reached',
        message: 'Billing hard limit has been reached.',
      },
    },
  ],
  [
    'E4-429',
    {
      status: 429,
      anthropic: {
        type: 'rate_limit_error',
        code: 'enforced_spend_limit_reached',
        message: 'You reached your spend limit.',
      },
      openai: {
        type: 'insufficient_quota',
        code: 'insufficient_quota',
        message: 'You exceeded your current quota.',
      },
      headers: { 'retry-after': '0' },
    },
  ],
  [
    'E3-400',
    {
      status: 400,
      anthropic: { type: 'authentication_error', message: 'Incorrect API key provided.' },
      openai: { type: 'invalid_request_error', message: 'API key not valid. Pass a valid one.' },
    },
  ],
  [
    'E5',
    {
      status: 403,
      anthropic: { type: 'permission_error', message: 'Not allowed.' },
      openai: {
        type: 'invalid_request_error',
        code: 'unsupported_country_region_territory',
        message: 'Country not supported.',
      },
    },
  ],
  [
    'E6',
    {
      status: 404,
      anthropic: { type: 'not_found_error', message: 'model: claude-test' },
      openai: {
        type: 'invalid_request_error',
        code: 'model_not_found',
        message: 'The model does not exist.',
      },
    },
  ],
  ['E7-408', broken(408, 'timeout_error')],
  ['E7-409', broken(409, 'conflict_error')],
  [
    'E8',
    {
      status: 413,
      anthropic: { type: 'request_too_large', message: 'Request exceeds 32 MB.' },
      openai: { type: 'invalid_request_error', message: 'Request too large.' },
    },
  ],
  ['E9', later('1')],
  ['E9-now', later('0')],
  ['E10-hour', later('3600')],
  ['E10-negative', later('-5')],
  ['E10-garbage', later('soon')],
  ['E10-past', later('Thu, 01 Jan 1970 00:00:00 GMT')],
  ['E10-year', later('Fri, 01 Jan 2100 00:00:00 GMT')],
  ['E11', limited],
  ['E12-500', broken(500, 'api_error')],
  ['E12-502', broken(502, 'api_error')],
  ['E12-503', broken(503, 'api_error')],
  ['E12-504', broken(504, 'timeout_error')],
  ['E12-529', broken(529, 'overloaded_error')],
  ['never-retry', { ...broken(503, 'api_error'), headers: { 'x-should-retry': 'false' } }],
])
