import type { JsonObject } from '../../internal/json.ts'
import { type ImageContent, type TextContent, textOf } from '../../kernel/message.ts'
import {
  isBlank,
  type ReadablePart,
  readableParts,
  sendableArgs,
  systemText,
  wellFormed,
} from '../format/sendable.ts'
import { type AnsweredCall, toTurns } from '../format/turns.ts'
import type { ModelRequest } from '../port.ts'
import { answerConstraint, toolInstructions } from './constraint.ts'

/** A conversation for a model that calls no tools by itself, but whose answers can be held to a JSON Schema. */
export interface HeldPrompt {
  /** The system text; may be empty. */
  readonly system: string
  /** Users and answers take turns, and a user is first and last; empty if there is nothing to answer. */
  readonly messages: readonly HeldMessage[]
  /** The form that the answer has to have. Set only where tools are offered. */
  readonly constraint?: JsonObject
}

/** One message. Two texts never follow each other. */
export interface HeldMessage {
  /** The results of tools are messages of the user. */
  readonly role: 'user' | 'assistant'
  /** The content, with images where they stood in the conversation. */
  readonly parts: readonly (TextContent | ImageContent)[]
}

/** What the engine of the model can do. */
export interface HeldPromptOptions {
  /** Whether the request holds images; otherwise a note says that they were left out. */
  readonly takesImages: boolean
  /**
   * Whether the instructions state the arguments that tools take: needed if the engine does not show the model the
   * constraint.
   */
  readonly writesSchemas: boolean
}

/** Whether the model would be shown an image. */
export function hasImages({ messages }: ModelRequest): boolean {
  return messages.some(
    (message) =>
      (message.role === 'user' || message.role === 'toolResult') &&
      readableParts(message.content).some((part) => part.type === 'image'),
  )
}

/**
 * Turns a conversation into one for a model whose answers are held to a form where tools are offered. Its calls are part
 * of the form, and results are text of the user, because such a model has no others; an answer that comes last is
 * followed by a request to go on. `createHeldReader` reads the answer.
 */
export function toHeldPrompt(
  { system, messages, tools }: ModelRequest,
  { takesImages, writesSchemas }: HeldPromptOptions,
): HeldPrompt {
  const isHeld = tools.length > 0
  const drafts: Draft[] = []
  for (const turn of toTurns(messages, { maxIdLength: 64 })) {
    if (turn.role === 'user') {
      add(drafts, 'user', promptParts(turn.content, takesImages))
      continue
    }
    const answer = { text: textOf(turn.message.content), calls: turn.calls }
    askAfterAnswer(drafts)
    add(drafts, 'assistant', isHeld ? heldAnswer(answer) : freeAnswer(answer))
    for (const [index, call] of turn.calls.entries()) {
      const title = text(resultTitle(call, index + 1))
      add(drafts, 'user', [title, ...promptParts(call.result.content, takesImages)])
    }
  }
  askAfterAnswer(drafts)
  // A branch may begin with an answer, and not every model can begin so.
  if (drafts[0]?.role === 'assistant') {
    drafts.unshift({ role: 'user', parts: [text('(The conversation goes on.)')] })
  }
  const instructions = isHeld ? toolInstructions(tools, writesSchemas) : ''
  return {
    system: [systemText(system, messages), instructions].filter(isWritten).join('\n\n'),
    messages: drafts.map(({ role, parts }) => ({ role, parts: joinTexts(parts) })),
    ...(isHeld && { constraint: answerConstraint(tools) }),
  }
}

type Part = HeldMessage['parts'][number]

/** A message that may still grow. */
interface Draft {
  readonly role: HeldMessage['role']
  readonly parts: Part[]
}

/** A model goes on with no answer by itself, and the last message is the one it answers. */
function askAfterAnswer(drafts: Draft[]): void {
  if (drafts.at(-1)?.role === 'assistant') add(drafts, 'user', [text('(Go on.)')])
}

function add(drafts: Draft[], role: Draft['role'], parts: readonly Part[]): void {
  if (parts.length === 0) return
  const last = drafts.at(-1)
  if (last?.role === role) last.parts.push(...parts)
  else drafts.push({ role, parts: [...parts] })
}

/** Engines join texts that follow each other with nothing in between, or refuse them. */
function joinTexts(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.type === 'text' && last?.type === 'text') {
      joined.splice(-1, 1, text(`${last.text}\n\n${part.text}`))
    } else joined.push(part)
  }
  return joined
}

function promptParts(
  content: Parameters<typeof readableParts>[0],
  takesImages: boolean,
): readonly Part[] {
  return readableParts(content).map((part) => promptPart(part, takesImages))
}

function promptPart(part: ReadablePart, takesImages: boolean): Part {
  switch (part.type) {
    case 'text':
      return part
    case 'image':
      return takesImages ? part : leftOut('An image')
    case 'document': {
      const { mediaType, data, name = 'without a name' } = part
      return mediaType === 'text/plain'
        ? text(`[Document: ${name}]\n${data}`)
        : leftOut(`A document (${name})`)
    }
  }
}

function leftOut(what: string): Part {
  return text(`[${what} was left out: this model cannot read it.]`)
}

function text(value: string): Part {
  return { type: 'text', text: value }
}

interface Answer {
  readonly text: string
  readonly calls: readonly AnsweredCall[]
}

/** An earlier answer in the form that the model has to write now. */
function heldAnswer({ text: said, calls }: Answer): readonly Part[] {
  if (isBlank(said) && calls.length === 0) return []
  const made = calls.map(({ call }) => ({
    tool: wellFormed(call.toolName),
    arguments: sendableArgs(call.argsText).args,
  }))
  return [text(JSON.stringify({ say: wellFormed(said), ...(made.length > 0 && { calls: made }) }))]
}

/** An earlier answer as plain text, because no tools are offered any more. */
function freeAnswer({ text: said, calls }: Answer): readonly Part[] {
  const made = calls.map(({ call }) => {
    const args = JSON.stringify(sendableArgs(call.argsText).args)
    return `(Used ${wellFormed(call.toolName)} with ${args}.)`
  })
  return [wellFormed(said), ...made].filter(isWritten).map(text)
}

function resultTitle({ call, result }: AnsweredCall, place: number): string {
  const outcome = result.isError ? 'Error' : result.content.length > 0 ? 'Result' : 'Empty result'
  return `${outcome} of call ${place} (${wellFormed(call.toolName)}):`
}

/** Whether a text is more than white space, of which models make nothing. */
function isWritten(said: string): boolean {
  return !isBlank(said)
}
