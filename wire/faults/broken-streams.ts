import { type Ending, type Reply, stream } from '../exchange.ts'
import { answer, call, eventsOf, type StreamEvent, text, toSse } from './answers.ts'

const spoken = answer('end', text('It is ', 'noon.'))
const calling = answer('calls', text('I look.'), call('call_1', '{"city":"Lima"}'))

/** Streams that break off, by row. */
export const brokenStreams: ReadonlyMap<string, Reply> = new Map<string, Reply>([
  ['F1-unseen', part(spoken, isHead, 'cut')],
  ['F1-seen', part(spoken, (event) => !says(event, 'noon'), 'cut when seen')],
  ['F1-call', part(calling, (event) => !says(event, 'city') && !isLast(event), 'cut when seen')],
  ['F2-unseen', part(spoken, isHead, 'end')],
  ['F2-seen', part(spoken, (event) => !says(event, 'noon'), 'end')],
  ['F2-whole-text', part(spoken, (event) => !isLast(event), 'end')],
  ['F2-call', part(calling, (event) => !isLast(event), 'end')],
  ['F4', withGarbage('{"choices":[{"delta"')],
  ['F4-no-object', withGarbage('"Moo"')],
  ['E14-stall', part(spoken, (event) => !says(event, 'noon'), 'stall')],
  ['E14-stall-unseen', part(spoken, isHead, 'stall')],
])

function part(
  given: Parameters<typeof eventsOf>[0],
  belongs: (event: StreamEvent) => boolean,
  ending: Ending,
): Reply {
  return (exchange) => {
    const events = eventsOf(given, exchange.protocol)
    const rest = events.findIndex((event) => !belongs(event))
    return stream(events.slice(0, rest).map(toSse), { ending })(exchange)
  }
}

/** Invalid data in the middle of a text. */
function withGarbage(data: string): Reply {
  return (exchange) => {
    const events = eventsOf(spoken, exchange.protocol)
    const middle = events.findIndex((event) => says(event, 'noon'))
    const garbage = { ...events[middle], data }
    return stream(events.toSpliced(middle, 0, garbage).map(toSse))(exchange)
  }
}

/** The events before anything can be seen. */
function isHead({ data }: StreamEvent): boolean {
  return data.includes('message_start') || data.includes('"role"')
}

/** The events that end the answer and state the reason. */
function isLast({ data }: StreamEvent): boolean {
  return /"stop_reason":"|"finish_reason":"/.test(data)
}

function says({ data }: StreamEvent, word: string): boolean {
  return data.includes(word)
}
