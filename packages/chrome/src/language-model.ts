import type { JsonObject } from '@offthread/core'

/**
 * The browser's `LanguageModel` (Prompt API), as far as it is used here. The names are those of the draft of
 * 2026; where a browser still has older ones, they are optional here.
 */
export interface ChromeLanguageModel {
  readonly availability: (options?: ChromeExpectations) => Promise<string>
  readonly create: (options?: ChromeSessionOptions) => Promise<ChromeSession>
}

/** What a session must be able to do. The browser downloads what that takes. */
export interface ChromeExpectations {
  readonly expectedInputs?: readonly ChromeExpected[]
  readonly expectedOutputs?: readonly ChromeExpected[]
}

/** A kind of content, and the languages (BCP 47) it will be in. */
export interface ChromeExpected {
  readonly type: 'text' | 'image'
  readonly languages?: readonly string[]
}

/** How a session begins. Aborting `signal` destroys it. */
export interface ChromeSessionOptions extends ChromeExpectations {
  readonly initialPrompts?: readonly ChromeMessage[]
  readonly signal?: AbortSignal
  readonly monitor?: (monitor: ChromeMonitor) => void
}

/** Reports a download: `loaded` goes from 0 to 1. */
export interface ChromeMonitor {
  readonly addEventListener: (
    type: 'downloadprogress',
    listener: (event: { readonly loaded: number }) => void,
  ) => void
}

/** One message. A system message can only be the first of `initialPrompts`. */
export interface ChromeMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string | readonly ChromePart[]
}

/** A part of a user's message. */
export type ChromePart =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'image'; readonly value: Blob }

/** The form of one answer, and how it is stopped. */
export interface ChromePromptOptions {
  readonly responseConstraint?: JsonObject
  readonly signal?: AbortSignal
}

/** One conversation with the browser's model. It takes memory until it is destroyed. */
export interface ChromeSession {
  readonly promptStreaming: (
    input: readonly ChromeMessage[],
    options?: ChromePromptOptions,
  ) => AsyncIterable<unknown>
  readonly destroy: () => void
  readonly contextUsage?: number
  readonly measureContextUsage?: (
    input: readonly ChromeMessage[],
    options?: ChromePromptOptions,
  ) => Promise<number>
  /** The older name of `contextUsage`. */
  readonly inputUsage?: number
  /** The older name of `measureContextUsage`. */
  readonly measureInputUsage?: (
    input: readonly ChromeMessage[],
    options?: ChromePromptOptions,
  ) => Promise<number>
}

/** The browser's own, if it has one. */
export function builtInModel(): ChromeLanguageModel | undefined {
  const found: unknown = Reflect.get(globalThis, 'LanguageModel')
  return isLanguageModel(found) ? found : undefined
}

function isLanguageModel(value: unknown): value is ChromeLanguageModel {
  return isThing(value) && hasMethod(value, 'availability') && hasMethod(value, 'create')
}

/** The browser's is a class, a stand-in may be a plain object. */
function isThing(value: unknown): value is object {
  return typeof value === 'function' || (typeof value === 'object' && value !== null)
}

function hasMethod(thing: object, name: string): boolean {
  return typeof Reflect.get(thing, name) === 'function'
}
