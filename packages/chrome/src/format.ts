import type { JsonObject, ModelRequest } from '@offthread/core'
import { type HeldMessage, toHeldPrompt } from '@offthread/core/model'
import type { ChromeMessage, ChromePart } from './language-model.ts'

/** A conversation as a session of the browser's model takes it. */
export interface ChromeFormat {
  readonly initialPrompts: readonly ChromeMessage[]
  /** What is asked last; empty if there is nothing to answer. */
  readonly input: readonly ChromeMessage[]
  /** The form of the answer; set only where tools are offered. */
  readonly responseConstraint?: JsonObject
}

/** Turns a conversation into prompts. Images go along only with `takesImages`, or else as a note. */
export function formatForChrome(
  request: ModelRequest,
  { takesImages }: { readonly takesImages: boolean },
): ChromeFormat {
  // The browser shows the model the constraint.
  const prompt = toHeldPrompt(request, { takesImages, writesSchemas: false })
  const { system, constraint } = prompt
  const said = prompt.messages.map(toMessage)
  return {
    initialPrompts: [
      ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
      ...said.slice(0, -1),
    ],
    input: said.slice(-1),
    ...(constraint && { responseConstraint: constraint }),
  }
}

function toMessage({ role, parts }: HeldMessage): ChromeMessage {
  const content = parts.map(toPart)
  const [first, ...others] = content
  return { role, content: first?.type === 'text' && others.length === 0 ? first.value : content }
}

function toPart(part: HeldMessage['parts'][number]): ChromePart {
  return part.type === 'text'
    ? { type: 'text', value: part.text }
    : { type: 'image', value: toBlob(part) }
}

function toBlob({ data, mediaType }: { readonly data: string; readonly mediaType: string }): Blob {
  const bytes = Uint8Array.from(atob(data), (digit) => digit.charCodeAt(0))
  return new Blob([bytes], { type: mediaType })
}
