import type { Part } from '@offthread/core'
import { contentOfFile } from '../file-content.ts'
import type { AppendedMessage, AppendedPart } from './thread-types.ts'

/**
 * What a composer sends, with its attachments. Throws a `TypeError` for a file that is neither image, PDF nor text, or that is
 * not in the message itself.
 */
export function appendedContent({ content, attachments = [] }: AppendedMessage): readonly Part[] {
  return [...attachments.flatMap((one) => one.content), ...content].flatMap(
    (part): Part | Part[] => {
      const { type, text, image, data, mimeType = '', filename } = part
      if (type === 'text' && text !== undefined) return { type, text }
      if (type === 'image' && image !== undefined) return contentOfFile(image, mimeType, filename)
      return type === 'file' && typeof data === 'string'
        ? contentOfFile(urlOf(data, part), mimeType, filename)
        : []
    },
  )
}

// Base64 text has no colon, so data with one is an address.
function urlOf(data: string, { mimeType = '' }: AppendedPart): string {
  return data.includes(':') ? data : `data:${mimeType};base64,${data}`
}
