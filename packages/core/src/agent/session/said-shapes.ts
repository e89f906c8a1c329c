import { answerStep, envelope, logLine, parts } from '../../runtime/event-shapes.ts'
import {
  count,
  fields,
  flag,
  id,
  json,
  jsonObject,
  listOf,
  maybe,
  number,
  oneOf,
  orNull,
  type Shape,
  text,
  word,
} from '../../runtime/shape.ts'
import type { Said, Wish } from './wish.ts'

const place = fields({ seq: number, sub: count })
const ofCall = { toolCallId: id }
const named = { toolCallId: id, toolName: id }

/** Only ephemeral events are posted: durable ones are read from the storage. */
const liveTypes = oneOf('type', {
  message_update: fields({ messageId: id, assistantMessageEvent: answerStep }),
  tool_running: fields({ ...ofCall, attempt: count, executionId: id }),
  tool_execution_update: fields({
    ...named,
    partialResult: fields({ content: parts, details: maybe(json) }),
  }),
  tool_progress: fields({
    ...{ ...named, message: maybe(text), status: maybe(text), unit: maybe(text) },
    ...{ value: maybe(number), total: maybe(number) },
  }),
  tool_log: fields({ ...ofCall, lines: listOf(logLine), dropped: count }),
  tool_custom: fields({ ...named, name: text, data: json, durable: absent }),
})
const numbered = fields({ v: one, seq: number, sub: maybe(count) })
const liveEvent: Shape = (value) => numbered(value) ?? envelope(value) ?? liveTypes(value)
const events = listOf(liveEvent)

const output = maybe(fields({ schema: jsonObject, maxRepairs: count }))
const argsDigest = id
const wishes: { readonly [Command in Wish['command']]: Shape } = {
  prompt: fields({ input: parts, after: maybe(orNull(id)), output }),
  continue: fields({ output }),
  regenerate: fields({ output }),
  retryTool: fields({ ...ofCall, toolName: maybe(id), args: maybe(jsonObject) }),
  steer: fields({ input: parts }),
  followUp: fields({ input: parts }),
  clearQueues: fields({}),
  takeQueued: fields({
    message: fields({
      ...{ queue: word('steering', 'followUp'), index: count, content: parts },
      to: maybe(word('steering')),
    }),
  }),
  abort: fields({ reason: maybe(text) }),
  cancelTool: fields(ofCall),
  addToolResult: fields({
    ...{ ...ofCall, result: maybe(json), toolName: maybe(id) },
    ...{ isError: flag, isMarked: maybe(flag) },
  }),
  respondToApproval: fields({
    ...ofCall,
    response: oneOf('decision', {
      approve: fields({ argsDigest }),
      deny: fields({ argsDigest, reason: maybe(text) }),
      edit: fields({ argsDigest, args: jsonObject }),
    }),
  }),
  moveHead: fields({ messageId: orNull(id) }),
  redact: fields({ messageId: id }),
}

/** Why an owner could not read a wish: it would drop it, and the wish would be posted again for ever. */
export const problemOfWish: Shape = oneOf('command', wishes)

const shapes: { readonly [Say in Said['say']]: Shape } = {
  hello: fields({}),
  live: fields({ after: place, events }),
  catch_up: fields({ at: place, events, after: maybe(place), upTo: maybe(place) }),
  space: fields({ isFull: flag, change: maybe(number) }),
  wish: fields({ id, seq: number, wish: problemOfWish }),
  granted: fields({ id, runId: maybe(id) }),
  refused: fields({
    id,
    refusal: fields({ name: text, message: text, code: maybe(text), kind: maybe(text) }),
  }),
  release: fields({}),
  released: fields({}),
}
const said = oneOf('say', shapes)
const spoken = fields({ by: maybe(fields({ seq: number, bootId: orNull(id) })) })

/** Whether a message is what an agent posts. It may come from another device, and is as foreign as a stored event. */
export function isSaid(message: unknown): message is Said {
  return (said(message) ?? spoken(message)) === null
}

function absent(value: unknown): string | null {
  return value === undefined ? null : ' must be absent'
}

function one(value: unknown): string | null {
  return value === 1 ? null : ' must be 1'
}
