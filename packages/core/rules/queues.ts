import type { EventOf } from '../src/kernel/events.ts'
import type { Part, UserMessage } from '../src/kernel/message.ts'
import type { Book, Queue, Run, Session } from './book.ts'
import { hasCalls } from './reasons.ts'

/** Takes over the contents of the queues. */
export function updateQueues({ check }: Session, event: EventOf<'queue_update'>, book: Book): void {
  const { steering, followUp } = book
  if (event.by === undefined) {
    updateQueue(steering, event.steering)
    updateQueue(followUp, event.followUp)
    return
  }
  const next = { steering: event.steering.map(toText), followUp: event.followUp.map(toText) }
  const isOne = takings(steering.waiting, followUp.waiting).some(
    (after) => JSON.stringify(after) === JSON.stringify(next),
  )
  check('Q3', isOne, 'a person took out one message, and more has changed')
  steering.waiting = next.steering
  followUp.waiting = next.followUp
}

/**
 * The queues that may result when one message was taken out: it may be gone, or wait at the end of the steering
 * messages.
 */
function takings(steering: readonly string[], followUp: readonly string[]): readonly unknown[] {
  const ofSteering = steering.flatMap((text, at) => {
    const left = steering.toSpliced(at, 1)
    return [left, [...left, text]].map((after) => ({ steering: after, followUp }))
  })
  const ofFollowUp = followUp.flatMap((text, at) => {
    const left = followUp.toSpliced(at, 1)
    return [steering, [...steering, text]].map((after) => ({ steering: after, followUp: left }))
  })
  return [...ofSteering, ...ofFollowUp]
}

function toText(content: readonly Part[]): string {
  return JSON.stringify(content)
}

/** Takes over the contents of a queue. What left it has to be delivered, unless the queue was cleared. */
function updateQueue(queue: Queue, contents: readonly (readonly Part[])[]): void {
  const next = contents.map(toText)
  const gone = departures(queue.waiting, next)
  const left = queue.waiting.slice(0, gone)
  if (next.length === 0) queue.cleared.push(...left)
  else queue.departed.push(...left)
  queue.waiting = next
}

function departures(before: readonly string[], next: readonly string[]): number {
  for (let gone = 0; gone < before.length; gone += 1) {
    if (before.slice(gone).every((content, index) => content === next[index])) return gone
  }
  return before.length
}

/** I26 and I27: which messages may reach the model, and in which order. */
export function deliver({ check, setup }: Session, message: UserMessage, book: Book): void {
  const { run } = book
  const turn = run?.turn
  if (!run || !turn) return
  const source = sourceOf(message)
  if (source === 'repair') return
  if (source === 'prompt') {
    run.prompts += 1
    const isFirst = run.prompts === 1 && run.turns === 1 && run.start.trigger === 'prompt'
    check('I27', isFirst, `a ${run.start.trigger} run says a prompt`)
    check('I26', turn.steering + turn.followUps === 0, 'the prompt comes before queued messages')
    return
  }
  const isSteering = source === 'steering'
  const text = JSON.stringify(message.content)
  const queue = isSteering ? book.steering : book.followUp
  check('I26', takeOff(queue, text), 'it is not at the front')
  const asked = queue.asked?.indexOf(text) ?? -1
  if (asked >= 0) queue.asked?.splice(asked, 1)
  if (isSteering) turn.steering += 1
  else followUp(run, turn)
  if (!isSteering) check('I26', book.steering.waiting.length === 0, 'steering comes first')
  if (run.turns === 1) return
  if (!isSteering) check('I26', turn.steering === 0, 'a follow-up comes when steering is done')
  if (!isSteering) check('I26', isFinished(run), 'the work before it is not finished')
  const mode = isSteering ? setup.steeringMode : setup.followUpMode
  const count = isSteering ? turn.steering : turn.followUps
  check('I26', mode === 'all' || count === 1, `${count} messages at a time`)
}

function followUp(run: Run, turn: NonNullable<Run['turn']>): void {
  turn.followUps += 1
  run.counted = 1
}

function isFinished(run: Run): boolean {
  return !hasCalls(run) || run.terminate
}

function takeOff(queue: Queue, text: string): boolean {
  const from = [queue.departed, queue.waiting, queue.cleared].find(([first]) => first === text)
  from?.shift()
  return from !== undefined
}

function sourceOf(message: UserMessage): string {
  const { source } = message as { readonly source?: string }
  return source ?? 'prompt'
}
