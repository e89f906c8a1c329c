import { isObject } from '../src/internal/json.ts'
import { type AgentEvent, isDurable } from '../src/kernel/events.ts'
import { fold } from '../src/kernel/fold.ts'
import type { Message } from '../src/kernel/message.ts'
import { emptyState, type State } from '../src/kernel/state.ts'
import { transcript } from '../src/kernel/transcript.ts'
import type { Book, Session } from './book.ts'
import { problemOfPath } from './path.ts'

/** I6, I28 and I37: `fold` and `transcript`, put to the test. */
export interface TranscriptRules {
  readonly see: (event: AgentEvent, book: Book) => void
  readonly rest: () => void
}

export function createTranscriptRules(session: Session): TranscriptRules {
  const { check, setup } = session
  const log: AgentEvent[] = []
  const kept: { readonly state: State; readonly text: string }[] = []
  let live: State | null = null
  let durable: State | null = null
  let changes = 0
  // With the hook `afterToolCall` it is not known what the end of a call keeps of its log.
  const toText = (state: State) => textOf(state, setup.hooks.afterToolCall === false)

  function step(event: AgentEvent): void {
    live = fold(live ?? emptyState(event.sessionId), event)
    if (!setup.compareStates) return
    log.push(event)
    if (isDurable(event)) durable = fold(durable ?? emptyState(event.sessionId), event)
  }

  function compareAtRunEnd(): void {
    if (!live || !durable) return
    const text = toText(live)
    check('I6', text === toText(durable), 'durable events alone make another state')
    kept.push({ state: live, text })
  }

  function judge(book: Book): void {
    const state = book.agentId === '' ? live : live?.agents.get(book.agentId)?.state
    if (!state) return
    const messages = transcript(state, setup.maxToolResultChars)
    const problem = problemOfPath(messages, book)
    check('I37', problem === null, problem ?? '')
    judgeMessages(session, messages)
  }

  return {
    see: (event, book) => {
      if (setup.judgeEvery === 0) return
      step(event)
      if (event.type === 'agent_end' && book.agentId === '') compareAtRunEnd()
      if (!changesTranscript(event)) return
      changes += 1
      if (changes % setup.judgeEvery === 0) judge(book)
    },
    rest: () => {
      if (!live || !setup.compareStates) return
      const copies = log.map((event) => JSON.parse(JSON.stringify(event)) as AgentEvent)
      const whole = copies.reduce(fold, emptyState(live.sessionId))
      check('I6', wholeTextOf(whole) === wholeTextOf(live), 'the whole fold is another state')
      const isUnchanged = kept.every(({ state, text }) => toText(state) === text)
      check('I6', isUnchanged, 'an earlier state was changed')
    },
  }
}

/** I28: what all judges report about a conversation. An empty one is never sent; the same one is judged only once. */
export function judgeMessages(session: Session, messages: readonly Message[]): void {
  const { check, setup, judged } = session
  if (messages.length === 0) return
  const isSame =
    messages.length === judged.length && messages.every((one, at) => one === judged[at])
  if (isSame) return
  session.judged = messages
  for (const judge of setup.judges) {
    const [problem] = judge(messages)
    check('I28', problem === undefined, problem ?? '')
  }
}

const changing: ReadonlySet<AgentEvent['type']> = new Set([
  'session_opened',
  'message_end',
  'tool_dispatched',
  'tool_execution_end',
  'tools_end',
  'tool_retry_requested',
  'head_moved',
  'compaction_end',
] satisfies AgentEvent['type'][])

function changesTranscript({ type }: AgentEvent): boolean {
  return changing.has(type)
}

// Fields that durable events do not carry.
const passing = new Set(['progress', 'logs', 'sub'])

/**
 * The part of a state that durable events alone give as well, as text. `keepsLogs`: with the end of each call's log.
 */
function textOf(state: State, keepsLogs: boolean): string {
  return JSON.stringify(state, (key, value: unknown) =>
    passing.has(key) ? undefined : withoutMaps(withoutPassing(value, keepsLogs)),
  )
}

/**
 * Removes what is not stored: while a call is open its partial result and its log, afterwards all of the log but its
 * end.
 */
function withoutPassing(value: unknown, keepsLogs: boolean): unknown {
  if (!isObject(value) || !('logs' in value)) return value
  const isEnded = isObject(value['stage']) && value['stage']['kind'] === 'ended'
  if (!isEnded) return { ...value, partial: undefined }
  return keepsLogs ? { ...value, endOfLog: endOfLog(value['logs']) } : value
}

/** The last line, and how many lines there were: a page that saw the call has more of them. */
function endOfLog(logs: unknown): unknown {
  if (!isObject(logs) || !Array.isArray(logs['lines'])) return null
  const lines: readonly unknown[] = logs['lines']
  return { last: lines.at(-1), count: lines.length + Number(logs['dropped']) }
}

function wholeTextOf(state: State): string {
  return JSON.stringify(state, (_, value: unknown) => withoutMaps(value))
}

function withoutMaps(value: unknown): unknown {
  return value instanceof Map ? [...value] : value
}
