import { type JsonObject, type ModelRequest, textOf } from '@offthread/core'
import {
  type AnsweredCall,
  type ReadablePart,
  readableParts,
  sendableArgs,
  systemText,
  toTurns,
  wellFormed,
} from '@offthread/core/model'
import { answerConstraint, toolInstructions } from './constraint.ts'
import type { ChromeMessage, ChromePart } from './language-model.ts'

/** A conversation as a session of the browser's model takes it. */
export interface ChromeFormat {
  readonly initialPrompts: readonly ChromeMessage[]
  /** What is asked last; empty if there is nothing to answer. */
  readonly input: readonly ChromeMessage[]
  /** Only where tools are offered. */
  readonly responseConstraint?: JsonObject
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
 * Turns a conversation into prompts. Results of tools become text of the user, because a session that is
 * held to a format knows no others; an answer that comes last is followed by a request to go on; images go along only with
 * `takesImages`, or else as a note.
 */
export function formatForChrome(
  { system, messages, tools }: ModelRequest,
  { takesImages }: { readonly takesImages: boolean },
): ChromeFormat {
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
      add(drafts, 'user', [
        { type: 'text', value: resultTitle(call, index + 1) },
        ...promptParts(call.result.content, takesImages),
      ])
    }
  }
  askAfterAnswer(drafts)
  // A branch may begin with an answer, and not every model can begin so.
  if (drafts[0]?.role === 'assistant') {
    drafts.unshift({
      role: 'user',
      parts: [{ type: 'text', value: '(The conversation goes on.)' }],
    })
  }
  const texts = [systemText(system, messages), isHeld ? toolInstructions(tools) : '']
  const instructions = texts.filter(isWritten).join('\n\n')
  const said = drafts.map(toMessage)
  return {
    initialPrompts: [
      ...(instructions === '' ? [] : [{ role: 'system', content: instructions } as const]),
      ...said.slice(0, -1),
    ],
    input: said.slice(-1),
    ...(isHeld && { responseConstraint: answerConstraint(tools) }),
  }
}

/** A message that may still grow. */
interface Draft {
  readonly role: 'user' | 'assistant'
  readonly parts: ChromePart[]
}

/** A model goes on with no answer by itself, and the last message is the one it answers. */
function askAfterAnswer(drafts: Draft[]): void {
  if (drafts.at(-1)?.role === 'assistant') {
    add(drafts, 'user', [{ type: 'text', value: '(Go on.)' }])
  }
}

function add(drafts: Draft[], role: Draft['role'], parts: readonly ChromePart[]): void {
  if (parts.length === 0) return
  const last = drafts.at(-1)
  if (last?.role === role) last.parts.push(...parts)
  else drafts.push({ role, parts: [...parts] })
}

/** The API joins texts that follow each other with nothing in between. */
function toMessage({ role, parts }: Draft): ChromeMessage {
  const content: ChromePart[] = []
  for (const part of parts) {
    const last = content.at(-1)
    if (part.type === 'text' && last?.type === 'text') {
      content.splice(-1, 1, { type: 'text', value: `${last.value}\n\n${part.value}` })
    } else content.push(part)
  }
  const [first, ...others] = content
  return { role, content: first?.type === 'text' && others.length === 0 ? first.value : content }
}

function promptParts(
  content: Parameters<typeof readableParts>[0],
  takesImages: boolean,
): readonly ChromePart[] {
  return readableParts(content).map((part) => promptPart(part, takesImages))
}

function promptPart(part: ReadablePart, takesImages: boolean): ChromePart {
  switch (part.type) {
    case 'text':
      return { type: 'text', value: part.text }
    case 'image':
      return takesImages ? { type: 'image', value: toBlob(part) } : leftOut('An image')
    case 'document': {
      const { mediaType, data, name = 'without a name' } = part
      if (mediaType !== 'text/plain') return leftOut(`A document (${name})`)
      return { type: 'text', value: `[Document: ${name}]\n${data}` }
    }
  }
}

function leftOut(what: string): ChromePart {
  return { type: 'text', value: `[${what} was left out: this model cannot read it.]` }
}

function toBlob({ data, mediaType }: { readonly data: string; readonly mediaType: string }): Blob {
  const bytes = Uint8Array.from(atob(data), (digit) => digit.charCodeAt(0))
  return new Blob([bytes], { type: mediaType })
}

interface Answer {
  readonly text: string
  readonly calls: readonly AnsweredCall[]
}

/** As the model writes it where it is held to the format. */
function heldAnswer({ text, calls }: Answer): readonly ChromePart[] {
  if (!isWritten(text) && calls.length === 0) return []
  const made = calls.map(({ call }) => ({
    tool: wellFormed(call.toolName),
    arguments: sendableArgs(call.argsText).args,
  }))
  const answer = { say: wellFormed(text), ...(made.length > 0 && { calls: made }) }
  return [{ type: 'text', value: JSON.stringify(answer) }]
}

/** As people write it: there is nothing to call any more. */
function freeAnswer({ text, calls }: Answer): readonly ChromePart[] {
  const made = calls.map(({ call }) => {
    const args = JSON.stringify(sendableArgs(call.argsText).args)
    return `(Used ${wellFormed(call.toolName)} with ${args}.)`
  })
  return [wellFormed(text), ...made]
    .filter(isWritten)
    .map((value): ChromePart => ({ type: 'text', value }))
}

function resultTitle({ call, result }: AnsweredCall, place: number): string {
  const outcome = result.isError ? 'Error' : result.content.length > 0 ? 'Result' : 'Empty result'
  return `${outcome} of call ${place} (${wellFormed(call.toolName)}):`
}

/** Whether a text is more than white space, of which models make nothing. */
function isWritten(text: string): boolean {
  return text.trim() !== ''
}
