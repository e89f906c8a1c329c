import { type Protocol, type Reply, stream, write } from '../exchange.ts'
import {
  answer,
  anthropicEvent,
  call,
  eventsOf,
  openaiChunk,
  openaiDone,
  text,
  toSse,
} from './answers.ts'

const loginPage = '<!doctype html><title>Sign in</title><h1>Welcome to the hotel</h1>'
const spoken = answer('end', text('It is ', 'noon.'))

const wholeCompletion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-test',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Noon.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
}

/** Servers and gateways that answer something else, or nothing. */
export const strangeServers: ReadonlyMap<string, Reply> = new Map<string, Reply>([
  ['E13-dropped', ({ response }) => void response.destroy()],
  ['E14-silent', () => undefined],
  ['E14-pings', pings],
  ['E15-html', page(200, 'text/html; charset=utf-8')],
  ['E15-html-502', page(502, 'text/html')],
  ['E15-html-404', page(404, 'text/html')],
  ['E15-html-as-stream', page(200, 'text/event-stream')],
  ['E15-json', json({ answer: 'Noon.', content: [] })],
  ['E15-json-whole', json(wholeCompletion)],
  ['E15-204', noContent],
  ['E15-empty', stream([])],
  ['E15-endless', endlessRefusal],
  [
    'E16',
    ({ response, begin, elsewhere }) => {
      begin(307, { location: `${elsewhere}/redirected/open/answer/v1/messages` })
      response.end()
    },
  ],
  ['E3-200', (exchange) => json(wrongKey(exchange.protocol))(exchange)],
  ['E3-in-stream', (exchange) => inStream(exchange, 'error')],
  ['E3-nameless', (exchange) => inStream(exchange)],
  ['quotes-key', quotesKey(400)],
  ['quotes-key-403', quotesKey(403)],
  ['quotes-key-in-stream', quotesKeyInStream],
  ['quotes-key-in-answer', quotesKeyInAnswer],
  ['quotes-key-in-reason', quotesKeyInReason],
  ['quotes-key-in-garbage', quotesKeyInGarbage],
  ['quotes-key-in-page', quotesKeyInPage],
  ['quotes-key-as-type', quotesKeyAsType],
])

function page(status: number, type: string): Reply {
  return ({ response, begin }) => {
    begin(status, { 'content-type': type })
    response.end(loginPage)
  }
}

function noContent({ response, begin }: Parameters<Reply>[0]): void {
  begin(204)
  response.end()
}

/** Refuses with an error text that goes on for as long as it is read. */
async function endlessRefusal({ response, begin }: Parameters<Reply>[0]): Promise<void> {
  begin(503, { 'content-type': 'text/plain' })
  while (!response.destroyed) await write(response, 'Out of order. '.repeat(1000))
}

function wrongKey(protocol: Protocol): object {
  const message = 'Give another key.'
  return protocol === 'anthropic'
    ? { type: 'error', error: { type: 'authentication_error', message } }
    : { error: { type: 'invalid_request_error', code: 'invalid_api_key', message } }
}

async function inStream(exchange: Parameters<Reply>[0], event?: string): Promise<void> {
  const { protocol } = exchange
  const head = eventsOf(spoken, protocol).slice(0, 1)
  const error = { ...(event !== undefined && { event }), data: JSON.stringify(wrongKey(protocol)) }
  await stream([...head, error].map(toSse))(exchange)
}

/** An answer from a server that cannot stream. */
function json(body: object): Reply {
  return ({ response, begin }) => {
    begin(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
}

/** Only pings for a second, and then the answer. */
async function pings({ protocol, response, begin }: Parameters<Reply>[0]): Promise<void> {
  const [head, ...rest] = eventsOf(spoken, protocol).map(toSse)
  begin(200, { 'content-type': 'text/event-stream' })
  await write(response, head ?? '')
  const ping = protocol === 'anthropic' ? toSse(anthropicEvent({ type: 'ping' })) : ': waiting\n\n'
  for (let times = 0; times < 20; times += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    await write(response, ping)
  }
  response.end(rest.join(''))
}

/** A server that quotes the request in its error. */
function quotesKey(status: number): Reply {
  return ({ response, begin, key }) => {
    begin(status, { 'content-type': 'application/json', 'request-id': key })
    const message = `No such thing as Bearer ${key}, nor ${key}.`
    response.end(JSON.stringify({ type: 'error', error: { type: key, code: key, message } }))
  }
}

async function quotesKeyInStream(exchange: Parameters<Reply>[0]): Promise<void> {
  const { protocol, key } = exchange
  const error = { type: key, code: key, message: `The key ${key} is busy.` }
  const event =
    protocol === 'anthropic'
      ? anthropicEvent({ type: 'error', error })
      : { data: JSON.stringify({ error }) }
  await stream([...eventsOf(spoken, protocol).slice(0, 2), event].map(toSse))(exchange)
}

/** Quotes it in a text, in the name of a call and in its arguments, in two deltas each. */
async function quotesKeyInAnswer(exchange: Parameters<Reply>[0]): Promise<void> {
  const { protocol, key } = exchange
  const halves = [`Bearer ${key.slice(0, 9)}`, `${key.slice(9)}!`]
  const quoting = {
    ...call('call_1', '', key),
    pieces: [`{"city":"${halves[0]}`, `${halves[1]}"}`],
  }
  const events = eventsOf(answer('calls', text(...halves), quoting), protocol)
  await stream(events.map(toSse))(exchange)
}

/** A model that says why it declines, and quotes it there. */
async function quotesKeyInReason(exchange: Parameters<Reply>[0]): Promise<void> {
  const { protocol, key } = exchange
  const explanation = `Not with ${key}.`
  const events =
    protocol === 'anthropic'
      ? eventsOf(answer('refusal', text('Well.')), protocol).map((event) => ({
          ...event,
          data: event.data.replace(
            '"stop_sequence":null},"usage":{"output_tokens":20',
            `"stop_sequence":null,"stop_details":${JSON.stringify({ explanation })}},"usage":{"output_tokens":20`,
          ),
        }))
      : [openaiChunk({ refusal: explanation }, 'stop'), openaiDone]
  await stream(events.map(toSse))(exchange)
}

/** Data that is not JSON, so that an error message about it may quote it. */
async function quotesKeyInGarbage(exchange: Parameters<Reply>[0]): Promise<void> {
  await stream([toSse({ event: 'message_start', data: exchange.key })])(exchange)
}

function quotesKeyInPage({ response, begin, key }: Parameters<Reply>[0]): void {
  begin(502, { 'content-type': 'text/html', 'x-request-id': key })
  response.end(`<h1>Bad gateway</h1><pre>Authorization: Bearer ${key}</pre>`)
}

function quotesKeyAsType({ response, begin, key }: Parameters<Reply>[0]): void {
  begin(200, { 'content-type': `text/${key}` })
  response.end(key)
}
