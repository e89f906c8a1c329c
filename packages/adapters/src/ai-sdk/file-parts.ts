import type { Part } from '@offthread/core'
import { base64Of, dataUrl } from '../data-url.ts'
import { contentOfFile } from '../file-content.ts'
import type { ReceivedPart, SdkUserPart } from './sdk-types.ts'

/** What a user said, as parts of a chat. Files are data URLs. */
export function toUserParts(content: readonly Part[]): SdkUserPart[] {
  return content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    const { mediaType, data } = part
    return {
      type: 'file',
      mediaType,
      url: dataUrl(mediaType, mediaType === 'text/plain' ? base64Of(data) : data),
      ...('name' in part && part.name !== undefined && { filename: part.name }),
    }
  })
}

/** Content of the texts and files of a chat; other parts have none. Throws as `contentOfFile` does. */
export function contentOf(parts: readonly ReceivedPart[]): readonly Part[] {
  return parts.flatMap(({ type, text, url, mediaType = '', filename }): Part | Part[] => {
    if (type === 'text' && text !== undefined) return { type, text }
    return type === 'file' && url !== undefined ? contentOfFile(url, mediaType, filename) : []
  })
}
