import type { AgentOptions, RunEndReason, RunErrorKind } from '../packages/core/src/index.ts'
import type { CorsPolicy } from './cors.ts'
import type { Protocol } from './exchange.ts'

/** The expected outcome of one fault. */
interface Outcome {
  /** How the run ends. */
  readonly reason: RunEndReason
  /** The error: of the run, or of the attempts before it succeeded. */
  readonly kind?: RunErrorKind
  /** The sentence that a person reads. */
  readonly says?: RegExp
  readonly retries: number
  /** Requests that reach the server. Default: one more than the retries. */
  readonly requests?: number
  /** The last answer. */
  readonly text?: string | RegExp
  /**
   * What the model reads of its calls in the last request; `Error: ` stands before what is marked as failed. Absent:
   * every request equals the first.
   */
  readonly reads?: readonly string[]
  /** How many calls ran. Default: none. */
  readonly ran?: number
  /** The warnings of the run. Default: none. */
  readonly warns?: readonly string[]
  /** The pause before the second attempt. Default: next to none. */
  readonly delayMs?: number
}

/** One fault, and its expected outcome. */
export interface Row {
  readonly id: string
  readonly what: string
  /** The replies of the fault server, in order; the last repeats. */
  readonly replies: string
  readonly cors?: CorsPolicy
  /** The protocol that can have it. Default: both. */
  readonly only?: Protocol
  readonly agent?: Partial<AgentOptions>
  readonly outcome: Outcome
  /** What differs in OpenAI's protocol. */
  readonly openai?: Partial<Outcome>
}

const noon = 'It is noon 🕛.'
const cutOff = 'Error: Not run: the answer was cut off before this call was complete.'

/** The run fails at once. */
function ends(kind: RunErrorKind, says: RegExp): Outcome {
  return { reason: 'error', kind, says, retries: 0 }
}

/** The first attempts fail, the next succeeds. */
function retried(kind: RunErrorKind, more: Partial<Outcome> = {}): Outcome {
  return { reason: 'stop', kind, retries: 1, text: noon, ...more }
}

/** A fault that is harmless. */
const fine: Outcome = { reason: 'stop', retries: 0, text: noon }

const requestRows: readonly Row[] = [
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
    outcome: ends('rate_limited', /Wait 1440 minutes/),
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
  {
    id: 'E13',
    what: 'a server without CORS',
    replies: 'answer',
    cors: 'closed',
    outcome: { ...ends('cors', /CORS.*Allow the origin http.*or go through a proxy/), requests: 0 },
  },
  {
    id: 'E13',
    what: 'an error without CORS',
    replies: 'E12-503',
    cors: 'bare-errors',
    outcome: ends('cors', /CORS/),
  },
  {
    id: 'E14',
    what: 'a server that says nothing',
    replies: 'E14-silent,answer',
    agent: { streamIdleMs: 500 },
    outcome: retried('stalled'),
  },
  {
    id: 'E14',
    what: 'silence before anything could be seen',
    replies: 'E14-stall-unseen,answer',
    agent: { streamIdleMs: 500 },
    outcome: retried('stalled'),
  },
  {
    id: 'E14',
    what: 'silence in the middle',
    replies: 'E14-stall,answer',
    agent: { streamIdleMs: 500 },
    outcome: retried('stalled'),
  },
  {
    id: 'E14',
    what: 'silence in the middle, twice',
    replies: 'E14-stall',
    agent: { streamIdleMs: 500 },
    outcome: { ...ends('stalled', /said nothing for too long/), retries: 1 },
  },
  {
    id: 'E14',
    what: 'silence with signs of life',
    replies: 'E14-pings',
    agent: { streamIdleMs: 500 },
    outcome: { ...fine, text: 'It is noon.' },
  },
  {
    id: 'E15',
    what: 'a login page',
    replies: 'E15-html',
    outcome: { ...ends('protocol', /answered with text\/html.*login page/), retries: 3 },
  },
  {
    id: 'E15',
    what: 'a login page that says it is a stream',
    replies: 'E15-html-as-stream',
    outcome: { ...ends('protocol', /./), retries: 3 },
  },
  {
    id: 'E15',
    what: 'an error page',
    replies: 'E15-html-502,answer',
    outcome: retried('overloaded'),
  },
  {
    id: 'E15',
    what: 'a page that is not there',
    replies: 'E15-html-404',
    outcome: ends('bad_request', /Check `model` and `baseURL`/),
  },
  {
    id: 'E15',
    what: 'an answer that is not streamed',
    replies: 'E15-json',
    outcome: { ...ends('protocol', /answered with application\/json/), retries: 3 },
  },
  {
    id: 'E15',
    what: 'a whole answer that is not streamed',
    replies: 'E15-json-whole',
    only: 'openai',
    outcome: { ...fine, text: 'Noon.' },
  },
  {
    id: 'E15',
    what: 'no content',
    replies: 'E15-204',
    outcome: { ...ends('protocol', /\.$/), retries: 3 },
  },
  {
    id: 'E15',
    what: 'an empty stream',
    replies: 'E15-empty',
    outcome: { ...ends('truncated_stream', /broke off/), retries: 3 },
  },
  {
    id: 'E15',
    what: 'a refusal without an end',
    replies: 'E15-endless',
    agent: { retry: null },
    outcome: ends('overloaded', /Wait/),
  },
  { id: 'E16', what: 'a redirect', replies: 'E16', outcome: ends('protocol', /redirect/) },
  ...['bom', 'crlf', 'cr', 'lines', 'comments', 'no-space', 'bytes'].map(
    (way): Row => ({
      id: 'E20',
      what: `a stream written with ${way}`,
      replies: `E20-${way}`,
      outcome: fine,
    }),
  ),
  {
    id: 'E20',
    what: 'a stream that is not UTF-8',
    replies: 'E20-latin',
    outcome: { ...fine, text: /^It is noon .*\.$/ },
  },
  {
    id: 'E20',
    what: 'a line without an end',
    replies: 'E20-long-line',
    agent: { retry: null },
    outcome: ends('protocol', /an event does not end/),
  },
  {
    id: 'E20',
    what: 'lines without an end',
    replies: 'E20-long-event',
    agent: { retry: null },
    outcome: ends('protocol', /an event does not end/),
  },
]

const streamRows: readonly Row[] = [
  {
    id: 'F1',
    what: 'a cut before anything could be seen',
    replies: 'F1-unseen,answer',
    outcome: retried('network'),
  },
  { id: 'F1', what: 'a cut in a text', replies: 'F1-seen,answer', outcome: retried('network') },
  {
    id: 'F1',
    what: 'a cut in a text, twice',
    replies: 'F1-seen',
    outcome: { ...ends('network', /connection to .* was lost/), retries: 1 },
  },
  {
    id: 'F1',
    what: 'a cut in the arguments of a call',
    replies: 'F1-call,answer',
    outcome: retried('network'),
  },
  {
    id: 'F2',
    what: 'an early end before anything could be seen',
    replies: 'F2-unseen,answer',
    outcome: retried('truncated_stream'),
  },
  {
    id: 'F2',
    what: 'an early end in a text',
    replies: 'F2-seen,answer',
    outcome: retried('truncated_stream'),
  },
  {
    id: 'F2',
    what: 'an early end after a whole text',
    replies: 'F2-whole-text',
    outcome: { ...ends('truncated_stream', /broke off before its end/), retries: 1 },
  },
  {
    id: 'F2',
    what: 'an early end after a whole call',
    replies: 'F2-call,answer',
    outcome: retried('truncated_stream'),
  },
  {
    id: 'F2',
    what: 'no [DONE] after the reason',
    replies: 'F2-no-done',
    only: 'openai',
    outcome: { ...fine, text: 'It is noon.' },
  },
  {
    id: 'F2',
    what: 'no usage and no [DONE]',
    replies: 'F2-no-usage',
    only: 'openai',
    outcome: { ...fine, text: 'It is noon.' },
  },
  {
    id: 'F2',
    what: 'a [DONE] without a reason',
    replies: 'F2-only-done,answer',
    only: 'openai',
    outcome: retried('truncated_stream'),
  },
  {
    id: 'F3',
    what: 'an error before anything could be seen',
    replies: 'F3-unseen,answer',
    outcome: retried('overloaded'),
  },
  {
    id: 'F3',
    what: 'an error in a text',
    replies: 'F3-seen,answer',
    outcome: retried('overloaded'),
  },
  {
    id: 'F3',
    what: 'an error in a text, twice',
    replies: 'F3-seen',
    outcome: { ...ends('overloaded', /Wait/), retries: 1 },
  },
  {
    id: 'F3',
    what: 'a limit inside a stream',
    replies: 'F3-limit,answer',
    outcome: retried('rate_limited'),
  },
  { id: 'F4', what: 'data that is no JSON', replies: 'F4,answer', outcome: retried('protocol') },
  {
    id: 'F4',
    what: 'data that is no JSON, twice',
    replies: 'F4',
    outcome: { ...ends('protocol', /garbled/), retries: 1 },
  },
  {
    id: 'F4',
    what: 'data that is no object',
    replies: 'F4-no-object,answer',
    outcome: retried('protocol'),
  },
  { id: 'F5', what: 'an unknown event', replies: 'F5', outcome: { ...fine, text: 'It is noon.' } },
  {
    id: 'F6',
    what: 'an unknown block',
    replies: 'F6-block',
    only: 'anthropic',
    outcome: { ...fine, text: 'It is noon.' },
  },
  {
    id: 'F6',
    what: 'an unknown delta',
    replies: 'F6-delta',
    outcome: { ...fine, text: 'It is noon.' },
  },
  ...['no-start', 'no-message', 'gap', 'late', 'twice', 'wrong-kind', 'open'].map(
    (way): Row => ({
      id: 'F7',
      what: `events out of order: ${way}`,
      replies: `F7-${way},answer`,
      only: 'anthropic',
      outcome: retried('protocol'),
    }),
  ),
  {
    id: 'F7',
    what: 'a call without a name',
    replies: 'F7-no-name,answer',
    only: 'openai',
    outcome: retried('protocol'),
  },
  {
    id: 'F7',
    what: 'a text after its end',
    replies: 'F7-late',
    only: 'openai',
    outcome: { ...fine, text: 'It is noon.Later.' },
  },
  {
    id: 'F7',
    what: 'calls that are not counted from 0',
    replies: 'F7-gap,answer',
    only: 'openai',
    outcome: { ...fine, ran: 1, requests: 2, reads: ['12:00 in Lima'] },
  },
]

const contentRows: readonly Row[] = [
  {
    id: 'F8',
    what: 'two calls with one id',
    replies: 'F8,answer',
    outcome: called(['12:00 in Київ', '12:00 in Lima']),
  },
  {
    id: 'F8',
    what: 'an id of an earlier turn',
    replies: 'one-call,F8-again,answer',
    outcome: { ...called(['12:00 in Київ', '12:00 in Lima']), requests: 3 },
  },
  ...['empty', 'long', 'illegal'].map(
    (way): Row => ({
      id: 'F9',
      what: `ids that are ${way}`,
      replies: `F9-${way},answer`,
      outcome: called(['12:00 in Київ', '12:00 in Lima']),
    }),
  ),
  {
    id: 'F9',
    what: 'ids that are missing',
    replies: 'F9-missing,answer',
    only: 'openai',
    outcome: called(['12:00 in Київ', '12:00 in Lima']),
  },
  {
    id: 'F10',
    what: 'arguments that are no JSON',
    replies: 'F10-broken,answer',
    outcome: {
      ...called([
        'Error: Invalid arguments: they are not valid JSON. It did not run.',
        '12:00 in Lima',
      ]),
      ran: 1,
    },
  },
  {
    id: 'F10',
    what: 'arguments that are no object',
    replies: 'F10-array,answer',
    outcome: {
      ...called([
        'Error: Invalid arguments: they are JSON, but not an object. It did not run.',
        '12:00 in Lima',
      ]),
      ran: 1,
    },
  },
  { id: 'F10', what: 'no arguments', replies: 'F10-empty,answer', outcome: called(['12:00']) },
  {
    id: 'F10',
    what: 'arguments that come in turns',
    replies: 'F10-interleaved,answer',
    outcome: called(['12:00 in Київ', '12:00 in Lima']),
  },
  {
    id: 'F10',
    what: 'calls that come whole',
    replies: 'F10-whole,answer',
    only: 'openai',
    outcome: called(['12:00 in Київ', '12:00 in Lima']),
  },
  {
    id: 'F11',
    what: 'calls that the limit cut off',
    replies: 'F11,answer',
    outcome: { ...called([cutOff, cutOff]), ran: 0 },
  },
  {
    id: 'F11',
    what: 'a text that the limit cut off',
    replies: 'F11-text',
    outcome: { ...fine, text: 'It is', warns: ['cut_off'] },
  },
  ...['F11-then-calls', 'F11-after-calls'].map(
    (reply): Row => ({
      id: 'F11',
      what: '[M10] a call that the limit cut off, with another reason beside it',
      replies: `${reply},answer`,
      outcome: { ...called([cutOff]), ran: 0 },
    }),
  ),
  {
    id: 'F11',
    what: '[M10] an answer that has ended on a connection that has not',
    replies: 'F11-open',
    only: 'openai',
    outcome: { ...fine, text: 'It is noon.' },
  },
  {
    id: 'F12',
    what: 'calls at the limit that are reported as whole',
    replies: 'F12,answer',
    outcome: { ...called([cutOff, cutOff]), ran: 0 },
  },
  {
    id: 'F12',
    what: 'calls that are reported as a natural end',
    replies: 'F11-reported-as-stop,answer',
    only: 'openai',
    outcome: called(['12:00 in Київ']),
  },
  {
    id: 'F13',
    what: 'a refusal with a call',
    replies: 'F13',
    outcome: { reason: 'refusal', kind: 'refusal', says: /\.$/, retries: 0 },
  },
  {
    id: 'F13',
    what: 'a refusal in words',
    replies: 'F13-text',
    only: 'openai',
    outcome: { reason: 'refusal', kind: 'refusal', says: /I would rather not\./, retries: 0 },
  },
  {
    id: 'F14',
    what: 'a pause',
    replies: 'F14-pause,answer',
    only: 'anthropic',
    outcome: { ...fine, requests: 2, reads: [] },
  },
  { id: 'F15', what: 'an unknown reason', replies: 'F15', outcome: { ...fine, text: 'Done.' } },
  {
    id: 'F15',
    what: 'an unknown reason with a call',
    replies: 'F15-call,answer',
    outcome: { ...called([cutOff]), ran: 0 },
  },
  {
    id: 'F16',
    what: 'an empty answer',
    replies: 'F16',
    outcome: { ...fine, text: '', warns: ['empty_answer'] },
  },
  {
    id: 'F17',
    what: 'a call of a tool that was not offered',
    replies: 'F17,answer',
    outcome: {
      ...called(['Error: No tool named "teleport". Available: clock, now. It did not run.']),
      ran: 0,
    },
  },
]

function called(reads: readonly string[]): Outcome {
  return { ...fine, requests: 2, reads, ran: reads.length }
}

/** Every fault that a server can cause. */
export const rows: readonly Row[] = [...requestRows, ...streamRows, ...contentRows]
