import { type Protocol, type Reply, stream } from '../exchange.ts'
import { soupOf } from '../streams/soup.ts'
import { type Answer, answer, call, eventsOf, text, toSse } from './answers.ts'
import { anthropicFaults } from './anthropic-faults.ts'
import { brokenStreams } from './broken-streams.ts'
import { encodings } from './encodings.ts'
import { floods } from './floods.ts'
import { openaiFaults } from './openai-faults.ts'
import { isRefusal, refuse } from './refusals.ts'
import { strangeServers } from './strange-servers.ts'

/** The reply of that name. Throws a `TypeError` if this protocol has none. */
export function replyNamed(name: string, protocol: Protocol): Reply {
  if (isRefusal(name)) return refuse(name)
  if (name.startsWith('soup-')) return soup(Number(name.slice(5)))
  const given = answers.get(name)
  if (given) return whole(given)
  const own = protocol === 'anthropic' ? anthropicFaults : openaiFaults
  const all = [own, brokenStreams, encodings, strangeServers, floods]
  const reply = all.map((replies) => replies.get(name)).find((found) => found !== undefined)
  if (!reply) throw new TypeError(`There is no reply "${name}" in the protocol of ${protocol}.`)
  return reply
}

/** The generated stream of this seed, in a few writes. */
function soup(seed: number): Reply {
  return (exchange) => {
    const { events } = soupOf(exchange.protocol, seed, exchange.key)
    const middle = Math.floor(events.length / 2)
    return stream([events.slice(0, middle).join(''), events.slice(middle).join('')])(exchange)
  }
}

function whole(given: Answer): Reply {
  return (exchange) => stream(eventsOf(given, exchange.protocol).map(toSse))(exchange)
}

const kyiv = '{"city":"Київ"}'
const lima = '{"city":"Lima"}'
const tooLong = 'call-'.repeat(100)

/** Well-formed answers, whatever their content asks for. */
const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['answer', answer('end', text('It is ', 'noon ', '🕛.'))],
  ['one-call', answer('calls', text('I look.'), call('call_1', kyiv))],
  [
    'two-calls',
    answer('calls', text('I look ', 'twice.'), call('call_1', kyiv), call('call_2', lima)),
  ],
  ['F8', answer('calls', call('call_1', kyiv), call('call_1', lima))],
  ['F8-again', answer('calls', call('call_1', lima))],
  ['F9-empty', answer('calls', call('', kyiv), call('', lima))],
  ['F9-long', answer('calls', call(`${tooLong}a`, kyiv), call(`${tooLong}b`, lima))],
  ['F9-illegal', answer('calls', call('clock:0 ⏰', kyiv), call('clock:0 ⌚', lima))],
  ['F10-broken', answer('calls', call('call_1', '{"city":"Ky'), call('call_2', lima))],
  ['F10-array', answer('calls', call('call_1', '["Kyiv"]'), call('call_2', lima))],
  ['F10-empty', answer('calls', call('call_1', '', 'now'))],
  ['F11', answer('length', text('I look.'), call('call_1', kyiv), call('call_2', '{"city":"Li'))],
  ['F11-text', answer('length', text('It is'))],
  [
    'F12',
    {
      ...answer('calls', call('call_1', kyiv), call('call_2', '{"city":"Lima"}')),
      outputTokens: 100,
    },
  ],
  ['F13', answer('refusal', text('Well, '), call('call_1', kyiv))],
  ['F14', answer('pause', text('Still at it.'))],
  ['F15', answer('unknown', text('Done.'))],
  ['F15-call', answer('unknown', text('Done.'), call('call_1', kyiv))],
  ['F16', answer('end')],
  ['F17', answer('calls', call('call_1', '{}', 'teleport'))],
  ['E2-full', answer('full', text('So long'))],
])
