import type { AgentHooks, Message, Part } from '@offthread/core'
import { type AttachedFile, readAttachedLine } from '../files/attached-line.ts'
import { isImageName } from '../files/file-kinds.ts'
import type { ImageLimits } from './fit-image.ts'
import { toBase64 } from './to-base64.ts'

/** What a model can see. */
export interface Sight {
  readonly images: ImageLimits
  /** It reads PDFs of at most so many bytes. */
  readonly pdfBytes?: number
}

interface FilePorts {
  /** The sight of the model that is asked; `null`: it reads texts only. */
  readonly sight: () => Sight | null
  /** The file with this digest, if it is kept. */
  readonly find: (digest: string) => Promise<Blob | undefined>
  /** Makes an image small enough; `null` if it is none. */
  readonly makeFit: (image: Blob, limits: ImageLimits) => Promise<Blob | null>
}

/**
 * Shows a model the images and PDFs that messages name, again with each request: the log has their names and digests only,
 * and a model that is chosen later sees them, too.
 */
export function showFiles({ sight, find, makeFit }: FilePorts): AgentHooks {
  const shown = new Map<string, Promise<Part>>()

  async function readFile(file: AttachedFile & { readonly digest: string }, seen: Sight) {
    const { name, digest } = file
    // What the storage fails with is said where the file is named.
    const found = await find(digest).catch(() => undefined)
    if (!found) return textPart(`[${name} is not kept any more]`)
    if (!isImageName(name)) {
      if (seen.pdfBytes === undefined) return textPart(`[${name} is not shown to this model]`)
      if (found.size > seen.pdfBytes) return textPart(`[${name} is too large to be read]`)
      const data = await toBase64(found)
      return { type: 'document', mediaType: 'application/pdf', data, name } as const
    }
    const image = await makeFit(found, seen.images)
    if (!image) return textPart(`[${name} cannot be read as an image]`)
    return { type: 'image', mediaType: image.type, data: await toBase64(image) } as const
  }

  async function partsOf(part: Part, seen: Sight): Promise<readonly Part[]> {
    const file = part.type === 'text' ? readAttachedLine(part.text) : undefined
    if (!file?.digest) return [part]
    const { digest } = file
    const key = `${digest} ${seen.images.longEdge} ${seen.pdfBytes}`
    const reading = shown.get(key) ?? readFile({ ...file, digest }, seen)
    shown.set(key, reading)
    const seenPart = await reading
    // The next request tries it again.
    if (seenPart.type === 'text') shown.delete(key)
    return [part, seenPart]
  }

  return {
    transformContext: async (messages) => {
      const seen = sight()
      if (!seen) return messages
      return Promise.all(
        messages.map(async (message): Promise<Message> => {
          if (message.role !== 'user') return message
          const content = await Promise.all(message.content.map((part) => partsOf(part, seen)))
          return { ...message, content: content.flat() }
        }),
      )
    },
  }
}

function textPart(text: string): Part {
  return { type: 'text', text }
}
