import { readUIMessageStream, type UIMessage, uiMessageChunkSchema, validateUIMessages } from 'ai'
import { expect, test } from 'vitest'
import { answerParts } from '../packages/adapters/src/ai-sdk/answer-parts.ts'
import { createAnswerFollower } from '../packages/adapters/src/ai-sdk/follow-answer.ts'
import { fromUIMessages } from '../packages/adapters/src/ai-sdk/from-ui-messages.ts'
import type { SdkChunk } from '../packages/adapters/src/ai-sdk/sdk-types.ts'
import { toUIMessages } from '../packages/adapters/src/ai-sdk/to-ui-messages.ts'
import { lastExchange } from '../packages/adapters/src/exchanges.ts'
import type { AgentEvent } from '../packages/core/src/index.ts'
import { createReplay } from '../packages/core/src/log.ts'
import { transcriptProblems } from '../packages/core/src/testing.ts'
import { everyLog } from './every-log.ts'

test('[X1] the SDK puts together from the chunks of simulated sessions what the log says', async () => {
  const chats: Chat[] = []
  await everyLog(
    (log) => {
      chats.push(...chatsOf(log, 1), ...chatsOf(log, 9))
      const messages: UIMessage[] = toUIMessages(createReplay(log).at(log.length))
      expect(transcriptProblems(fromUIMessages([...messages, question]))).toEqual([])
    },
    { runs: 40 },
  )

  for (const { chunks, before, after } of chats) {
    for (const chunk of chunks) await expectChunk(chunk)
    const shown = await messageOf(before, chunks)
    expect(plain(shown)).toEqual(plain(after))
  }
  expect(chats.length).toBeGreaterThan(100)
})

const question: UIMessage = {
  id: 'question',
  role: 'user',
  parts: [{ type: 'text', text: 'And?' }],
}

/** One run of a session, as a chat follows it. */
interface Chat {
  readonly chunks: readonly SdkChunk[]
  /** What the chat shows of the answer before the run and after it. */
  readonly before: UIMessage | undefined
  readonly after: UIMessage['parts']
}

/** `every`: between two looks at the state there are so many events. */
function chatsOf(log: readonly AgentEvent[], every: number): readonly Chat[] {
  const replay = createReplay(log)
  const chats: Chat[] = []
  const starts = log.flatMap((event, index) =>
    event.type === 'agent_start' && event.agentId === undefined ? [index] : [],
  )
  for (const start of starts) {
    const end = log.findIndex(
      (event, index) => index > start && event.type === 'agent_end' && event.agentId === undefined,
    )
    if (end < 0) continue
    const { messages, toolCalls } = replay.at(start)
    const last = lastExchange(messages)
    const shown = last ? answerParts(last, toolCalls) : []
    const before = toUIMessages(replay.at(start)).at(-1)
    let follow = createAnswerFollower(shown)
    let id = last?.opening?.id
    let isSame = true
    const chunks: SdkChunk[] = []
    for (let at = start; at <= end + every; at += every) {
      const position = Math.min(at, end + 1)
      const state = replay.at(position)
      const exchange = lastExchange(state.messages)
      if (!exchange) continue
      if (exchange.opening?.id !== id) {
        id = exchange.opening?.id
        follow = createAnswerFollower()
        isSame = false
        chunks.length = 0
      }
      chunks.push(...follow(answerParts(exchange, state.toolCalls)))
    }
    const after = toUIMessages(replay.at(end + 1)).at(-1)
    chats.push({
      chunks,
      before: isSame && before?.role === 'assistant' ? before : undefined,
      after: after?.role === 'assistant' ? after.parts : [],
    })
  }
  return chats
}

async function expectChunk(chunk: SdkChunk): Promise<void> {
  const checked = await uiMessageChunkSchema().validate?.(chunk)
  expect({ chunk, success: checked?.success }).toEqual({ chunk, success: true })
}

async function messageOf(before: UIMessage | undefined, chunks: readonly SdkChunk[]) {
  const stream = new ReadableStream<SdkChunk>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  let message = before
  const read = readUIMessageStream({
    ...(before && { message: structuredClone(before) }),
    stream,
    terminateOnError: true,
  })
  for await (const next of read) message = next
  if (message) await validateUIMessages({ messages: [message] })
  return message?.parts ?? []
}

// A step that nothing came of shows nothing. The log of a chat does not say who allowed a call, nor what was
// signed of one that was refused, nor what a call that never was would be called, nor input that is half there.
const parse: (text: string) => unknown = JSON.parse

function plain(parts: UIMessage['parts']): unknown {
  const isEmpty = (index: number) => {
    const next = parts[index + 1]
    return !next || next.type === 'step-start' || next.type === 'steering-message'
  }
  return parts
    .filter(({ type }, index) => type !== 'step-start' || !isEmpty(index))
    .map((part) => {
      if (!('toolCallId' in part)) return parse(JSON.stringify(part))
      const {
        approval,
        rawInput: _raw,
        title: _title,
        input,
        ...rest
      } = { rawInput: undefined, ...part }
      const shown = { ...rest, ...(part.state !== 'input-streaming' && { input }) }
      const isDecided = part.state.startsWith('output') && part.state !== 'output-denied'
      const { signature, ...decision } = { signature: undefined, ...approval }
      const asked = part.state === 'approval-requested' ? approval : approval && decision
      return parse(JSON.stringify({ ...shown, ...(!isDecided && { approval: asked }) }))
    })
}
