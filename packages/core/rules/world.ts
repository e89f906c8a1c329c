import type { QueuedItem } from '../src/agent/handle.ts'
import type { Message, Part } from '../src/kernel/message.ts'
import { type Book, bookOf, type Call, isLive, type Reply, type Session } from './book.ts'
import { type Hooked, seeHook } from './hooks.ts'
import { judgeMessages } from './transcript.ts'

/** A request to the model starts. */
interface Requested {
  readonly messages: readonly Message[]
  readonly agentId?: string
  /** Other texts that leave the page. They may hold no secret, and nothing that no model may read. */
  readonly payload?: string
}

/** A call is posted to a worker, or handed to its code on the page. */
interface Posted {
  readonly toolCallId: string
  readonly attempt: number
  readonly executionId: string
  /** The append with its `tool_dispatched` had been stored. */
  readonly durable: boolean
  /** The facts that permitted the call are stored. Default `true`. */
  readonly allowed?: boolean
  readonly payload?: string
}

/** The code of a call had a side effect that cannot be undone. */
interface Affected {
  readonly toolCallId: string
  readonly attempt: number
}

/** The code of a tool was asked what became of a call that was cut off, and said this. */
interface Checked extends Affected {
  readonly says: 'done' | 'not_done' | 'unknown'
}

/** A message came from a worker. Forged ones are reported too, with `genuine: false`. */
interface Replied extends Reply {
  readonly toolCallId: string
  readonly executionId: string
  readonly genuine: boolean
}

/** A person queued a message, took one out, or cleared the queues. */
type QueueAction =
  | {
      readonly type: 'queued'
      readonly queue: 'steering' | 'followUp'
      readonly content: readonly Part[]
      readonly agentId?: string
    }
  | (QueuedItem & { readonly type: 'taken'; readonly agentId?: string })
  | { readonly type: 'cleared'; readonly agentId?: string }

/** Nothing more happens before the clock moves. */
export interface Stillness {
  /** Slots that no call and no dying worker holds. */
  readonly freeSlots: number
  /** Calls whose worker is being started. */
  readonly starting: number
  /** An append is under way, or the page has work for its next task: facts wait for it. */
  readonly busy: boolean
  /** What the agent says that it is doing. */
  readonly status?: string
}

interface Workers {
  readonly alive: number
  readonly allowed: number
}

/** What must be zero when a session is at rest. The timer that holds the slot of a killed worker does not count. */
export interface Leftovers {
  readonly timers?: number
  readonly workers?: number
  readonly listeners?: number
  readonly ports?: number
}

/** I11, I14, I15, I17, I19, I20, I25, I26, I33, I34, I36: checks the log against what happened around it. */
export interface WorldRules {
  readonly requested: (request: Requested) => void
  readonly posted: (post: Posted) => void
  readonly affected: (effect: Affected) => void
  readonly checked: (check: Checked) => void
  readonly replied: (reply: Replied) => void
  readonly hooked: (hook: Hooked) => void
  readonly queued: (action: QueueAction) => void
  readonly workers: (workers: Workers) => void
  readonly still: (stillness: Stillness) => void
  readonly rest: (leftovers: Leftovers) => void
}

export function createWorldRules(session: Session): WorldRules {
  const { check, calls, setup, memory } = session
  const settling = new Set<Call>()
  const count = (key: string): number => {
    const times = (memory.counts.get(key) ?? 0) + 1
    memory.counts.set(key, times)
    return times
  }
  return {
    requested: (request) => seeRequest(session, request),
    posted: ({ toolCallId, attempt, executionId, durable, allowed = true, payload = '' }) => {
      session.watched = true
      const call = calls.get(toolCallId)
      check('I33', durable, `${toolCallId} was posted before its tool_dispatched was durable`)
      // If a person was asked, the tool's own `needsApproval` need not have been.
      const isAllowed = allowed || Boolean(call?.approval?.answer)
      check('I17', isAllowed, `${toolCallId} was posted though a check had failed`)
      const isDispatched = call?.executionId === executionId && call.dispatches === attempt
      check('I33', isDispatched, `${toolCallId} was posted without a tool_dispatched`)
      check('I33', count(`post ${executionId}`) === 1, `${executionId} was posted twice`)
      check('I36', !holds(payload, setup.secrets), `a worker reads a secret`)
    },
    affected: ({ toolCallId, attempt }) => {
      const times = count(`${attempt} ${toolCallId}`)
      check('I33', times === 1, `attempt ${attempt} of ${toolCallId} had its effect ${times} times`)
      seeEffect(session, toolCallId)
    },
    checked: (checked) => seeCheck(session, checked),
    replied: ({ toolCallId, executionId, genuine, ...reply }) => {
      session.watched = true
      const call = calls.get(toolCallId)
      if (!genuine || !call || call.executionId !== executionId || !isLive(call)) return
      call.reply ??= reply
      settling.add(call)
    },
    hooked: (hook) => seeHook(session, hook),
    queued: (action) => seeQueue(session, action),
    workers: ({ alive, allowed }) => {
      check('I25', alive <= allowed, `${alive} workers, ${allowed} are allowed`)
    },
    still: (stillness) => {
      if (stillness.busy) return
      seeSettled(session, settling)
      const says = stillness.status === 'running_tools'
      check('A9', !says || [...calls.values()].some(isMoving), 'it says that tools run: none does')
      for (const book of session.books.values()) seeFreeSlots(session, stillness, book)
    },
    rest: (leftovers) => {
      for (const [what, left] of Object.entries(leftovers)) {
        check('I25', !left, `${left} ${what} are left`)
      }
      for (const { steering, followUp } of session.books.values()) {
        for (const { asked, waiting } of [steering, followUp]) {
          const isKept = asked === null || asked.join() === waiting.join()
          check('I26', isKept, 'what was queued is neither delivered nor waiting')
        }
      }
    },
  }
}

// D48: code that can be asked runs again only if it says that nothing was done.
function seeEffect({ check, calls, setup }: Session, toolCallId: string): void {
  const call = calls.get(toolCallId)
  if (!call?.wasCut || setup.tools[call.toolName]?.onInterrupt !== 'check') return
  check('D48', call.fate === 'not_done', `it ran again, its check said ${call.fate}`)
}

function seeCheck({ check, calls }: Session, { toolCallId, attempt, says }: Checked): void {
  const call = calls.get(toolCallId)
  if (!call) return
  check('D48', call.wasCut && call.dispatches === attempt, 'a check of what was not cut off')
  call.fate = says
}

/** Whether the call needs no answer of a person: its code runs, or will. */
function isMoving({ stage, place, approval }: Call): boolean {
  const isUnended = stage !== 'announced' && stage !== 'ended'
  return isUnended && place !== 'client' && !(approval && approval.answer === null)
}

function seeRequest(session: Session, { messages, agentId = '', payload = '' }: Requested): void {
  const { check, setup } = session
  const { run, batch } = bookOf(session, agentId)
  check('I25', run !== null, 'a request without a run')
  const isFree = run === null || run.abortedAt === null
  check('I20', isFree || setup.isReentrant, 'a request after the abort')
  check('I38', !run?.lost, 'a request in a run of an earlier boot')
  check('I3', !run?.turn?.answer, 'a request for a turn that has its answer')
  check('I13', batch === null, 'a request while calls have no result')
  judgeMessages(session, messages)
  if (setup.unseen.length + setup.secrets.length === 0) return
  const fresh = messages.filter((message) => !session.searched.has(message))
  for (const message of fresh) session.searched.add(message)
  const text = payload + JSON.stringify(fresh)
  check('I19', !holds(text, setup.unseen), 'the model reads what it must not see')
  check('I36', !holds(text, setup.secrets), 'a secret is in a request')
}

function seeQueue(session: Session, action: QueueAction): void {
  const { steering, followUp } = bookOf(session, action.agentId ?? '')
  if (action.type === 'queued') {
    const queue = action.queue === 'steering' ? steering : followUp
    queue.asked ??= [...queue.waiting]
    queue.asked.push(JSON.stringify(action.content))
    return
  }
  if (action.type === 'taken') {
    const text = JSON.stringify(action.content)
    const { asked } = action.queue === 'steering' ? steering : followUp
    // A listener takes from a queue that has moved on further than the events that were seen.
    const isThere = (each: string, place: number) =>
      each === text && (session.setup.isReentrant || place <= action.index)
    const at = asked?.findLastIndex(isThere) ?? -1
    if (at < 0) return
    asked?.splice(at, 1)
    if (action.to) steering.asked = [...(steering.asked ?? steering.waiting), text]
    return
  }
  steering.asked = []
  followUp.asked = []
}

// I11: a settlement is in the log before the clock moves on, whatever the siblings do.
function seeSettled({ check, setup }: Session, settling: Set<Call>): void {
  for (const call of settling) {
    const isOver = !isLive(call) || call.reply === null
    const isHooked =
      setup.hooks.afterToolCall && call.hooks.after > 0 && call.hooks.afterSaid === null
    if (!isOver && isHooked) continue
    check('I11', isOver, `${call.toolCallId} is done and has no end`)
    settling.delete(call)
  }
}

function seeFreeSlots({ check }: Session, { freeSlots, starting }: Stillness, book: Book): void {
  const { run, batch } = book
  if (!run || !batch || run.abortedAt !== null || run.lost) return
  const waiting = batch.calls.filter(({ stage, place, cancelled }) => {
    return stage === 'prepared' && place !== 'client' && !cancelled
  })
  const isIdle = waiting.length > starting && freeSlots > 0
  check('I14', !isIdle, `${waiting.length} calls wait while ${freeSlots} slots are free`)
}

function holds(text: string, needles: readonly string[]): boolean {
  return needles.some((needle) => text.includes(needle))
}
