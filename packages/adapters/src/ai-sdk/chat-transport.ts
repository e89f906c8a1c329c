import type { Agent, AgentState } from '@offthread/core'
import { type Exchange, exchangesIn, lastExchange } from '../exchanges.ts'
import { answerParts } from './answer-parts.ts'
import { answerStream, isWaitingStatus } from './answer-stream.ts'
import { contentOf } from './file-parts.ts'
import { giveAnswers } from './give-answers.ts'
import type { ReceivedMessage, SdkTransport } from './sdk-types.ts'

/**
 * Lets `useChat` of the AI SDK run on an agent in the page. The model reads what the chat shows: a new message is put
 * after the message before it in the chat, so when one is edited or regenerated, the old ones stay on a branch.
 *
 * `stop()` stops the run. A call that waits for approval ends the stream; `addToolApprovalResponse` with
 * `sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses` goes on. `resumeStream()`, or `resume:
 * true`, shows a run that is active already.
 *
 * @example
 * ```ts
 * const transport = createChatTransport(agent)
 * const { messages, sendMessage, stop } = useChat({ transport })
 * ```
 */
export function createChatTransport(agent: Agent): SdkTransport {
  /** The prompts of the agent, by the ids that the chat has given to them. */
  const prompts = new Map<string, string>()
  let streams = 0
  return {
    resumeStreamIsReplay: true,
    sendMessages: async ({ trigger, messages, abortSignal }) => {
      streams += 1
      await agent.ready
      const last = messages.at(-1)
      if (!last) throw new TypeError('There is no message to answer.')
      if (last.role === 'assistant') return goOn(agent, last, abortSignal)
      const content = contentOf(last.parts)
      await stopped(agent)
      const run = abortSignal ? { signal: abortSignal } : {}
      const places = createPlaces(agent, prompts)
      const opening = places.exchangeOf(last)?.opening
      if (trigger === 'regenerate-message' && opening) return askAgain(agent, opening.id, run)
      const { messages: before } = agent.getState()
      return answerStream(agent, {
        run: agent.prompt(content, { ...places.after(messages.slice(0, -1)), ...run }),
        isMeant: (one) => one.opening !== null && !before.includes(one.opening),
        onFound: (found) => {
          if (found.opening) prompts.set(last.id, found.opening.id)
        },
      })
    },
    reconnectToStream: async ({ abortSignal }) => {
      streams += 1
      const stream = streams
      await agent.ready
      const { isActive, status } = agent.getState()
      if (abortSignal?.aborted || !isActive || isWaitingStatus(status)) return null
      // A chat also aborts its last stream when it asks for the next one, which must not stop the run.
      stopWith(abortSignal, () => queueMicrotask(() => stream === streams && agent.abort()))
      return answerStream(agent, {})
    },
  }
}

/** Finds the messages of a chat in the conversation of the agent. */
function createPlaces(agent: Agent, prompts: ReadonlyMap<string, string>) {
  const exchanges = exchangesIn(agent.getState().messages)
  const placeOf = ({ id }: ReceivedMessage): number => {
    const known = prompts.get(id) ?? id
    return exchanges.findIndex((one) => one.opening?.id === known || one.answerId === known)
  }
  return {
    exchangeOf: (message: ReceivedMessage): Exchange | undefined => exchanges[placeOf(message)],
    /** The place after these messages: behind the last one that the agent has. */
    after: (messages: readonly ReceivedMessage[]): { readonly after?: string | null } => {
      const last = messages.map(placeOf).findLast((place) => place >= 0) ?? -1
      const next = exchanges[last + 1]
      return next ? { after: (next.opening ?? next.rest[0])?.parentId ?? null } : {}
    },
  }
}

interface Run {
  readonly signal?: AbortSignal
}

/** Answers a prompt again, on a branch without the messages after it. */
function askAgain(agent: Agent, opening: string, run: Run) {
  const last = lastExchange(agent.getState().messages)
  if (last?.opening?.id !== opening || last.answerId !== null) agent.moveHead(opening)
  return answerStream(agent, {
    run: agent.regenerate(run),
    isMeant: (one) => one.opening?.id === opening,
  })
}

/** Gives the agent what a person has decided in the chat, and goes on with the same answer. */
async function goOn(agent: Agent, message: ReceivedMessage, signal: AbortSignal | undefined) {
  const { messages, toolCalls } = agent.getState()
  const exchange = lastExchange(messages)
  const shown = exchange ? answerParts(exchange, toolCalls) : []
  const answered = await giveAnswers(agent, message)
  const canGoOn = !agent.isRunning() && agent.getState().can.continue
  const run = canGoOn ? agent.continue(signal ? { signal } : {}) : undefined
  if (!run) stopWith(signal, () => agent.abort())
  return answerStream(agent, { run, shown, answered })
}

function stopWith(signal: AbortSignal | undefined, stop: () => void): void {
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop, { once: true })
}

/**
 * Waits for the end of a run that is being stopped. A run that waits for a person is stopped first, for the new
 * message.
 */
async function stopped(agent: Agent): Promise<void> {
  const { status, isActive } = agent.getState()
  if (isActive && isWaitingStatus(status)) agent.abort('A new message was sent.')
  else if (status !== 'stopping') return
  await until(agent, (state) => !state.isActive)
}

function until({ store }: Agent, isTrue: (state: AgentState) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const leave = store.subscribe(look)
    function look(state: AgentState): void {
      if (!isTrue(state)) return
      leave()
      resolve()
    }
    look(store.getState())
  })
}
