import { isObject } from '../packages/core/src/internal/json.ts'
import { type Part, textOf } from '../packages/core/src/kernel/message.ts'
import { emptyState } from '../packages/core/src/kernel/state.ts'
import { readLog } from '../packages/core/src/runtime/read-log.ts'
import {
  type AgentState,
  createProjection,
  type Shown,
} from '../packages/core/src/store/agent-state.ts'
import { isWriting } from './pages.ts'
import { isEndOf } from './rest.ts'
import type { Session } from './session.ts'
import type { Page } from './world/page.ts'

/** What must hold of a session on several pages once nothing happens any more. */
export function judgePages(session: Session): void {
  judgeWriters(session)
  judgeDeletions(session)
  judgeTexts(session)
  judgeRedactions(session)
  const working = session.pages.filter(({ agent }) => agent.getState().error?.kind !== 'storage')
  const isOwned = working.some(({ agent }) => agent.getState().access === 'owner')
  const canOwn = working.some(({ agent }) => agent.getState().access === 'follower')
  // Without locks that all pages know, an owner learns only from its next append that it was replaced.
  if (session.world.plan.pages?.ownLocks) return
  if (canOwn && !isOwned)
    session.judge.broken('D5', 'every page follows, and none owns the session')
  judgeStates(
    session,
    working.filter(({ connection }) => connection?.isBusy() !== true),
  )
}

/** Who had a session that was deleted has ended; nothing of it is in the next one. */
function judgeDeletions({ world, judge, pages, said }: Session): void {
  for (const page of pages) {
    if (!page.connection?.isOfDeleted() || page.isDisposed()) continue
    const { storage, error } = page.agent.getState()
    if (error?.kind !== 'storage')
      judge.broken('D100', `a page of a deleted session shows ${storage} and ${error?.kind}`)
    if (page.agent.isRunning()) judge.broken('D100', 'a run outlives its session')
  }
  for (const event of world.disk.events()) {
    if (event.type !== 'message_end' || event.message.role !== 'user') continue
    const text = textOf(event.message.content)
    if (said.get(text)?.connection?.isOfDeleted())
      judge.broken(
        'D100',
        `"${text}" was said in a session that was deleted, and is in the next one`,
      )
  }
}

/** What a user said, or was kept from saying, and then redacted is nowhere in what is stored. */
function judgeRedactions({ world, judge, said }: Session): void {
  const stored = world.disk.events()
  const texts = new Map<string, string>()
  const note = (id: string, content: readonly Part[]): void => {
    const text = textOf(content)
    if (said.has(text)) texts.set(id, text)
  }
  for (const event of world.log) {
    if (event.type === 'agent_start' && event.input) note(event.runId ?? '', event.input)
    if (event.type === 'message_end' && event.message.role === 'user')
      note(event.message.id, event.message.content)
  }
  for (const event of stored) {
    if (event.type !== 'message_redacted') continue
    const text = texts.get(event.messageId)
    const isLeft = text !== undefined && JSON.stringify(stored).includes(JSON.stringify(text))
    if (isLeft) judge.broken('D31', `"${text}" was redacted, and is stored`)
  }
}

/** Milliseconds without an event after which what was posted to other pages has come. */
const calmMs = 50

/** While nothing happens for a while, every page that follows shows what its owner does, also of what is not stored. */
export function judgeFollowers(session: Session): void {
  const { world, pages, writer, judge } = session
  const { timeline, origin } = world
  if (!writer || !isWriting(session) || !isUpToDate(writer, 'owner') || !origin.hasAll()) return
  if ((timeline.nextAt() ?? Number.POSITIVE_INFINITY) - timeline.now() <= calmMs) return
  const owner = writer.look()
  const expected = shownLive(owner)
  const isFull = owner.storage === 'full'
  for (const page of pages) {
    if (!isUpToDate(page, 'follower')) continue
    const state = page.look()
    if (isFull !== (state.storage === 'full'))
      judge.broken('D82', `a follower shows ${state.storage}, and its owner ${owner.storage}`)
    // What waits for space is in the memory of the owner alone; the follower shows what came before.
    if (isFull) continue
    const seen = shownLive(state)
    const place = expected.findIndex((part, index) => seen[index] !== part)
    if (place < 0 && seen.length === expected.length) continue
    judge.broken('D3', `a follower shows ${seen.at(place)}, and its owner ${expected.at(place)}`)
  }
}

function isUpToDate({ agent, connection, visitor }: Page, as: AgentState['access']): boolean {
  const { access, error } = agent.getState()
  const isIdle = connection?.isBusy() !== true && !visitor.isCutOff()
  return access === as && error?.kind !== 'storage' && isIdle
}

/** As `shown`, with what is not stored. */
function shownLive(state: AgentState): readonly string[] {
  const calls = state.toolCalls.active.map(({ hasValidArgs, earlier, ...call }) => {
    // Only the owner has the tools of an agent that runs inside a call.
    const isKnown = call.agentId === undefined
    // D137: of a call that ended before, a follower may have the last lines only.
    const before = earlier?.map(({ logs, hasValidArgs: isValid, ...one }) =>
      isKnown ? { hasValidArgs: isValid, ...one } : one,
    )
    const seen = isKnown ? { hasValidArgs, ...call } : call
    return JSON.stringify({ ...seen, earlier: before }, inOrder)
  })
  return [shown(state, state.access), ...calls]
}

/** A follower may have heard in another order what is there. */
function inOrder(_key: string, value: unknown): unknown {
  if (!isObject(value) || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** One after the other has written the log, each from its opening on. */
function judgeWriters({ world, judge }: Session): void {
  const { writers } = world.disk
  for (const [seq, event] of world.disk.events().entries()) {
    if (event.seq !== seq) judge.broken('D75', `event ${event.seq} is stored as number ${seq}`)
    const before = writers[seq - 1] ?? 0
    const writer = writers[seq] ?? 0
    if (writer < before)
      judge.broken('D75', `claim ${writer} writes event ${seq} after claim ${before}`)
    if (writer > before && event.type !== 'session_opened') {
      judge.broken('D75', `claim ${writer} begins with ${event.type} as event ${seq}`)
    }
  }
}

/** Every text of a user is another one, so each is said once at most. */
function judgeTexts({ world, judge, said, refused }: Session): void {
  const times = new Map<string, number>()
  for (const event of world.disk.events()) {
    if (event.type !== 'message_end' || event.message.role !== 'user') continue
    const text = textOf(event.message.content)
    times.set(text, (times.get(text) ?? 0) + 1)
  }
  for (const text of said.keys()) {
    const count = times.get(text) ?? 0
    if (count > 1) judge.broken('D78', `"${text}" was said once and is in the log ${count} times`)
    if (count > 0 && refused.has(text)) judge.broken('D78', `"${text}" was refused, and was said`)
  }
}

/** Every page shows what the stored log says. */
function judgeStates({ world, judge }: Session, pages: readonly Page[]): void {
  const { state, problem } = readLog(emptyState('session'), world.disk.events())
  if (problem) {
    judge.broken('D75', problem.message)
    return
  }
  const project = createProjection(() => undefined)
  const stored = project(state)
  const ended = stored.messages
    .flatMap(({ content }) => content.flatMap((part) => (part.type === 'toolCall' ? part : [])))
    .flatMap(({ toolCallId }) => stored.toolCalls.get(toolCallId) ?? [])
    .filter(({ hasEnded, logs }) => hasEnded && logs.lines.length > 0)
  for (const page of pages) {
    const { access } = page.agent.getState()
    // D84: where a session is only shown, a run that was cut off does not run.
    if (access === 'read-only' && stored.isActive) continue
    const seen = shown(page.look(), access)
    const expected = shown(stored, access)
    if (seen !== expected)
      judge.broken('D79', `the ${access} shows ${seen}, and the log says ${expected}`)
    for (const { toolCallId, logs } of ended) {
      const mine = page.agent.getState().toolCalls.get(toolCallId)?.logs
      if (mine && !isEndOf(mine, logs))
        judge.broken('D137', `the ${access} shows ${JSON.stringify(mine)} of ${toolCallId}`)
    }
  }
}

/** The part of a snapshot that comes from what is stored. */
function shown(state: Omit<AgentState, keyof Shown>, access: AgentState['access']): string {
  const { status, isActive, messages, lastReason, queues, branches, usage, error } = state
  const { startedAt, retry, output } = state
  const calls = messages.flatMap(({ role, content }) =>
    role === 'assistant'
      ? content.flatMap((part) => {
          if (part.type !== 'toolCall') return []
          const call = state.toolCalls.get(part.toolCallId)
          // D138: where a session is only shown, a call without a result has ended as well.
          const ends = [...(call?.earlier ?? []), call].map(
            (one) => one?.result && [one.status, one.result, one.partial],
          )
          // It cannot go on there, unless it waits for a person.
          const isOver = access === 'read-only' && call && !call.approval && call.place !== 'client'
          const status = isOver && !call.hasEnded ? 'interrupted' : call?.status
          return [[part.toolCallId, status, ends]]
        })
      : [],
  )
  return JSON.stringify({
    status,
    isActive,
    messages,
    lastReason,
    queues,
    branches,
    usage,
    error,
    ...{ startedAt, retry, output },
    calls,
  })
}
