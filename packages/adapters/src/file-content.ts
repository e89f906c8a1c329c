import type { Part } from '@offthread/core'
import { readDataUrl, textIn } from './data-url.ts'

/**
 * A file in the address that a chat has for it, as content. Throws a `TypeError` for one that is neither image, PDF nor text, or
 * that is not in the address itself.
 */
export function contentOfFile(url: string, givenType: string, filename: string | undefined): Part {
  const named = filename === undefined ? {} : { name: filename }
  const file = filename === undefined ? 'A file' : `The file ${filename}`
  const read = readDataUrl(url)
  if (!read) {
    throw new TypeError(
      `${file} is not in the message, or its address is broken. Pass it as a data URL.`,
    )
  }
  const mediaType = read.mediaType || givenType
  if (mediaType.startsWith('image/')) return { type: 'image', mediaType, data: read.base64 }
  if (mediaType === 'application/pdf') {
    return { type: 'document', mediaType, data: read.base64, ...named }
  }
  const text = isText(mediaType) ? textIn(read.base64) : null
  if (text !== null) return { type: 'document', mediaType: 'text/plain', data: text, ...named }
  throw new TypeError(`${file} is ${mediaType}. A message holds images, PDF files and texts.`)
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json'
}
