import type { Json, JsonObject } from '../../internal/json.ts'
import { isJsonObject } from '../../internal/json.ts'
import type { Part } from '../../kernel/message.ts'
import type { NewArtifact, ReturnedResult } from '../host.ts'
import { byteLength, cutMiddle, formatBytes, maxResultBytes, surelyFits } from './cut.ts'
import type { BinaryPart } from './uncut.ts'
import { filesOfUncut, isBinary } from './uncut.ts'

/** Of base64 text; providers refuse more of an image. */
const maxBase64Chars = 5_000_000

/**
 * A result with everything that is too big cut or left out, and a word about what was left out. What was cut
 * goes along whole, as artifacts that are kept if there is room for them.
 */
export function fitToSize(result: ReturnedResult): ReturnedResult {
  const { artifacts = [], ...all } = result
  const { fitted, uncut } = cutToFit(all)
  const kept = [...artifacts, ...uncut()]
  return { ...fitted, ...(kept.length > 0 && { artifacts: kept }) }
}

/** What a tool tells on its way, fitted like a result; what does not fit is gone. */
export function fitPartial(partial: Omit<ReturnedResult, 'artifacts'>): ReturnedResult {
  return cutToFit(partial).fitted
}

interface Fit {
  readonly fitted: ReturnedResult
  /** Makes whole again what was cut. */
  readonly uncut: () => readonly NewArtifact[]
}

function cutToFit(result: ReturnedResult): Fit {
  const { content, details, structuredContent, ...rest } = result
  const tooBig = Object.entries({ details, structuredContent }).flatMap(([name, value]) => {
    const excess = excessOf(value)
    return excess ? [{ name, ...excess }] : []
  })
  const fits = (name: string): boolean => tooBig.every((one) => one.name !== name)
  const dropped = tooBig.map(
    ({ name, bytes }) =>
      `${name} was ${formatBytes(bytes)}, more than ${formatBytes(maxResultBytes)}`,
  )
  const kept = fits('details') ? details : undefined
  const told = dropped.length === 0 ? kept : { ...asFields(kept), dropped }
  const { parts, lost } = fitContent(content)
  return {
    fitted: {
      ...rest,
      content: parts,
      ...(told !== undefined && { details: told }),
      ...(structuredContent !== undefined && fits('structuredContent') && { structuredContent }),
    },
    uncut: () => filesOfUncut(content, { parts: lost, fields: tooBig }),
  }
}

interface Excess {
  readonly json: string
  readonly bytes: number
}

/** A value that has more bytes than it may; `null` when it fits. */
export function excessOf(value: Json | undefined): Excess | null {
  if (value === undefined) return null
  const json = JSON.stringify(value)
  if (surelyFits(json, maxResultBytes)) return null
  const bytes = byteLength(json)
  return bytes > maxResultBytes ? { json, bytes } : null
}

function asFields(details: Json | undefined): JsonObject {
  if (details === undefined) return {}
  return isJsonObject(details) ? details : { details }
}

interface FitContent {
  readonly parts: readonly Part[]
  /** What was cut or left out, as it was. */
  readonly lost: readonly Part[]
}

function fitContent(content: readonly Part[]): FitContent {
  // Some room is kept for the last word.
  let room = maxResultBytes - 100
  let lostBytes = 0
  const lost: Part[] = []
  const parts = content.flatMap((part): readonly Part[] => {
    if (isBinary(part)) {
      if (part.data.length <= maxBase64Chars) return [part]
      lost.push(part)
      return [{ type: 'text', text: noteOn(part) }]
    }
    const whole = part.type === 'text' ? part.text : part.data
    const bytes = byteLength(whole)
    const text = bytes <= room ? whole : cutMiddle(whole, room, bytes)
    const kept = text === whole ? bytes : byteLength(text)
    room -= kept
    if (text !== whole) {
      lostBytes += bytes - kept
      lost.push(part)
    }
    if (text === '') return []
    return [part.type === 'text' ? { type: 'text', text } : { ...part, data: text }]
  })
  // At the end, where a model that reads only head and tail of it still sees it.
  const note = `\n[${formatBytes(lostBytes)} of the result were cut out of it.]`
  return { parts: lostBytes === 0 ? parts : [...parts, { type: 'text', text: note }], lost }
}

function noteOn({ type, data }: BinaryPart): string {
  const what = type === 'image' ? 'An image' : 'A document'
  return `[${what} of ${formatBytes(data.length)} was left out: too big.]`
}
