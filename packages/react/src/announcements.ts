import {
  type AgentEvent,
  type AgentState,
  type EventOf,
  type RunEndReason,
  type ToolCallView,
  textOf,
} from '@offthread/core'

/** A sentence for assistive technology to read aloud. */
export interface Announcement {
  /** Plain text, without a full stop. */
  readonly text: string
  /** Whether the sentence interrupts what is being read: a failure, or a question to the person. */
  readonly isUrgent: boolean
}

/** How much is said: nothing; failures, questions and the end of an answer; or starts and ends of calls as well. */
export type Verbosity = 'off' | 'brief' | 'full'

/** What the sentences of one moment are made of. */
export interface AnnouncedMoment {
  /** What has happened since the last sentence: starts, ends, approvals and retries only. Never empty. */
  readonly events: readonly AgentEvent[]
  /** What the agent shows now. */
  readonly state: AgentState
  /** How much is to be said. Never `'off'`. */
  readonly verbosity: Verbosity
  /** What a call gave, in a few words (`'50 rows'`), if that can be said. */
  readonly detailOf: (call: ToolCallView) => string | undefined
  /** Sentences that name a shortcut: `approval` is added to a question, `answer` to an answer. */
  readonly hints: { readonly approval?: string; readonly answer?: string }
}

/** Puts one moment into as few English sentences as possible. Give `sentences` another function for other languages. */
export function sentencesFor(moment: AnnouncedMoment): readonly Announcement[] {
  const { events, verbosity } = moment
  // Of a run that another one has followed nothing is said: the state is that of the next one.
  const latest = events.slice(events.findLastIndex(({ type }) => type === 'agent_start') + 1)
  const retry = latest.findLast((event) => event.type === 'auto_retry_start')
  const runEnd = latest.findLast((event) => event.type === 'agent_end')
  const said = [
    ...(verbosity === 'full' ? startWords(moment) : []),
    ...callEndWords(moment),
    ...approvalWords(moment),
    ...(retry && !runEnd ? retryWords(retry) : []),
    ...(runEnd ? runEndWords(runEnd, moment) : []),
  ]
  const isNew = events.some((event) => event.type === 'agent_start')
  return said.length === 0 && isNew && verbosity === 'full' ? [polite('Agent started')] : said
}

function startWords({ events, state }: AnnouncedMoment): readonly Announcement[] {
  const isAsked = (id: string) => state.toolCalls.get(id)?.status === 'awaiting_approval'
  const starts = events
    .filter((event) => event.type === 'tool_execution_start')
    .filter(({ toolCallId }) => !isAsked(toolCallId))
  const [first] = starts
  if (!first) return []
  return [polite(starts.length === 1 ? `Running ${first.label}` : `Running ${starts.length} tools`)]
}

const mostFailures = 3

function callEndWords(moment: AnnouncedMoment): readonly Announcement[] {
  const { events, verbosity } = moment
  const ends = events.filter((event) => event.type === 'tool_execution_end')
  const failed = ends.filter(({ outcome }) => outcome === 'failed' || outcome === 'timed_out')
  const others = verbosity === 'full' ? ends.filter((end) => !failed.includes(end)) : []
  const failures = failed
    .slice(0, mostFailures)
    .map((end) =>
      urgent(`${labelOf(end, moment)} failed: ${textOf(end.result.content).slice(0, 200)}`),
    )
  const left = failed.length - failures.length
  if (left > 0) failures.push(urgent(`${counted(left, 'more tool')} failed`))
  const ended =
    others.length > 2
      ? [polite(`${counted(others.length, 'tool')} finished`)]
      : others.map((end) => polite(endText(end, moment)))
  return [...ended, ...failures]
}

function endText(end: EventOf<'tool_execution_end'>, moment: AnnouncedMoment): string {
  const { outcome, timing } = end
  const label = labelOf(end, moment)
  if (outcome !== 'succeeded') return `${label} ${outcome}`
  const call = moment.state.toolCalls.get(end.toolCallId)
  const detail = call && moment.detailOf(call)
  const seconds = (timing.runMs / 1000).toFixed(1)
  const facts = [detail, timing.runMs >= 1000 ? `${seconds} seconds` : undefined]
  return [`${label} finished`, ...facts.filter((fact) => fact !== undefined)].join(', ')
}

interface OfCall {
  readonly toolCallId: string
  readonly toolName: string
}

function labelOf({ toolCallId, toolName }: OfCall, { state }: AnnouncedMoment): string {
  return state.toolCalls.get(toolCallId)?.label ?? toolName
}

function approvalWords(moment: AnnouncedMoment): readonly Announcement[] {
  const { state, hints } = moment
  const asked = moment.events
    .filter((event) => event.type === 'tool_approval_requested')
    .filter(({ toolCallId }) => state.toolCalls.get(toolCallId)?.status === 'awaiting_approval')
  const [first] = asked
  if (!first) return []
  const what = asked.length === 1 ? labelOf(first, moment) : counted(asked.length, 'call')
  return [urgent(withHint(`Approval needed for ${what}`, hints.approval))]
}

function retryWords(retry: EventOf<'auto_retry_start'>): readonly Announcement[] {
  if (retry.scope === 'tool') return []
  const { attempt, maxAttempts, delayMs } = retry
  const wait = counted(Math.ceil(delayMs / 1000), 'second')
  return [polite(`The model did not answer. Attempt ${attempt} of ${maxAttempts} in ${wait}`)]
}

function runEndWords(
  { reason, error }: EventOf<'agent_end'>,
  { state, verbosity, hints }: AnnouncedMoment,
): readonly Announcement[] {
  if (reason === 'error') return [urgent(`The answer failed: ${error?.message ?? ''}`)]
  const words = endNames[reason] ?? 'The run ended'
  if (words !== complete || verbosity === 'brief') return [polite(words)]
  const length = counted(wordsIn(state), 'word')
  return [polite(withHint(`${words}, ${length}`, hints.answer))]
}

const complete = 'Answer complete'

const endNames: Partial<Readonly<Record<RunEndReason, string>>> = {
  stop: complete,
  terminated: complete,
  aborted: 'Stopped',
  max_turns: 'Ended: too many steps',
}

/** The number of words in the model's last answer. */
function wordsIn({ messages }: AgentState): number {
  const answer = messages.findLast(({ role }) => role === 'assistant')
  return answer ? (textOf(answer.content).match(/\S+/g)?.length ?? 0) : 0
}

function withHint(words: string, hint: string | undefined): string {
  return hint === undefined ? words : `${words}. ${hint}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function polite(text: string): Announcement {
  return { text, isUrgent: false }
}

function urgent(text: string): Announcement {
  return { text, isUrgent: true }
}
