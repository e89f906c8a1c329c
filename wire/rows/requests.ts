import { ends, fine, type Row, retried } from './row.ts'

/** Faults for which a server refuses a request. */
export const requestRows: readonly Row[] = [
  {
    id: 'E1',
    what: 'a refused request',
    replies: 'E1',
    outcome: ends('bad_request', /range: 0\.\.1/),
  },
  {
    id: 'E2',
    what: 'a prompt that is too long',
    replies: 'E2',
    outcome: ends('context_overflow', /too long.*(Shorten|start)/i),
  },
  {
    id: 'E2',
    what: 'an answer that fills the context',
    replies: 'E2-full',
    only: 'anthropic',
    outcome: { ...fine, text: 'So long', warns: ['cut_off'] },
  },
  {
    id: 'E3',
    what: 'a wrong key',
    replies: 'E3',
    outcome: ends('auth', /did not accept the API key.*enter it again/),
  },
  ...['E3-200', 'E3-400', 'E3-in-stream', 'E3-nameless'].map(
    (replies): Row => ({
      id: 'E3',
      what: 'a wrong key, said in another way',
      replies,
      outcome: ends('auth', /did not accept the API key/),
    }),
  ),
  { id: 'E4', what: 'no money', replies: 'E4-402', outcome: ends('billing', /credit/) },
  { id: 'E4', what: 'no credit', replies: 'E4-400', outcome: ends('billing', /credit/) },
  {
    id: 'E4',
    what: 'a spend limit, with leave to retry',
    replies: 'E4-429',
    outcome: ends('billing', /spend limit/),
  },
  {
    id: 'E5',
    what: 'a key that may not',
    replies: 'E5',
    outcome: ends('permission', /another key or another model/),
  },
  {
    id: 'E6',
    what: 'a wrong model or address',
    replies: 'E6',
    outcome: ends('bad_request', /has no model .*Check `model` and `baseURL`/),
  },
  { id: 'E7', what: 'a request timeout', replies: 'E7-408,answer', outcome: retried('timeout') },
  { id: 'E7', what: 'a conflict', replies: 'E7-409,answer', outcome: retried('overloaded') },
  {
    id: 'E8',
    what: 'a request that is too large',
    replies: 'E8',
    outcome: ends('too_large', /smaller/),
  },
  {
    id: 'E8',
    what: 'a request that is too large for what stands before the server',
    replies: 'E8',
    cors: 'bare-errors',
    outcome: ends('cors', /CORS/),
  },
  {
    id: 'E9',
    what: 'a limit for a second',
    replies: 'E9,answer',
    outcome: retried('rate_limited', { delayMs: 1000 }),
  },
  {
    id: 'E9',
    what: 'a limit that is over',
    replies: 'E9-now,answer',
    outcome: retried('rate_limited', { delayMs: 0 }),
  },
  {
    id: 'E10',
    what: 'a limit for an hour',
    replies: 'E10-hour,answer',
    outcome: ends('rate_limited', /Wait 60 minutes/),
  },
  {
    id: 'E10',
    what: 'a limit until next century',
    replies: 'E10-year,answer',
    outcome: retried('rate_limited'),
  },
  {
    id: 'E10',
    what: 'a limit for less than nothing',
    replies: 'E10-negative,answer',
    outcome: retried('rate_limited'),
  },
  {
    id: 'E10',
    what: 'a limit for no number',
    replies: 'E10-garbage,answer',
    outcome: retried('rate_limited'),
  },
  {
    id: 'E10',
    what: 'a limit until a day long ago',
    replies: 'E10-past,answer',
    outcome: retried('rate_limited'),
  },
  {
    id: 'E11',
    what: 'a limit for a time that a page may not read',
    replies: 'E10-hour,answer',
    cors: 'unexposed',
    outcome: retried('rate_limited'),
  },
  {
    id: 'E11',
    what: 'a limit without an end',
    replies: 'E11,E11,answer',
    outcome: retried('rate_limited', { retries: 2 }),
  },
  ...['500', '502', '503', '504', '529'].map(
    (status): Row => ({
      id: 'E12',
      what: `status ${status}`,
      replies: `E12-${status},answer`,
      outcome: retried('overloaded'),
    }),
  ),
  {
    id: 'E12',
    what: 'a server that stays broken',
    replies: 'E12-503',
    outcome: { ...ends('overloaded', /overloaded or out of order\. Wait/), retries: 3 },
  },
  {
    id: 'E12',
    what: 'a server that asks not to be asked again',
    replies: 'never-retry',
    outcome: ends('overloaded', /cannot answer: Something is wrong/),
  },
]
