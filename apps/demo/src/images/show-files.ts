import type { AgentHooks, Message, Part } from '@offthread/core'
import { type AttachedFile, filesIn } from '../files/attached-line.ts'
import { isImageName } from '../files/file-kinds.ts'
import type { ImageLimits } from './fit-image.worker.ts'

/** What a model can see. */
export interface Sight {
  readonly images: ImageLimits
  /** The most bytes of a PDF that it reads. */
  readonly pdfBytes?: number
  /** Characters of base64 text that all files of one request may have together. */
  readonly request: number
}

type NamedFile = AttachedFile & { readonly digest: string }

/** What a request still has room for. */
interface Room {
  chars: number
  files: number
}

/** Images and PDFs in one request: Anthropic takes no more. */
const mostFiles = 100

interface FilePorts {
  /** The sight of the model that is asked; `null`: it reads texts only. */
  readonly sight: () => Sight | null
  /** The file with this digest, if it is kept. */
  readonly find: (digest: string) => Promise<Blob | undefined>
  /** Makes an image small enough; `null` for a file that is no image. */
  readonly makeFit: (image: Blob, limits: ImageLimits) => Promise<Blob | null>
}

/**
 * Shows a model the images and PDFs that messages name, again with each request: the log has their names and digests only,
 * and a model that is chosen later sees them, too. Where a request has no room for all, the newest are shown.
 */
export function showFiles({ sight, find, makeFit }: FilePorts): AgentHooks {
  const shown = new Map<string, Promise<Part>>()

  async function readFile(file: NamedFile, seen: Sight) {
    const { name, digest } = file
    // A failing storage is reported by the tools, where the file is named.
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

  async function read(file: NamedFile, seen: Sight): Promise<Part> {
    const key = `${file.digest} ${seen.images.longEdge} ${seen.pdfBytes}`
    const reading = shown.get(key) ?? readFile(file, seen)
    shown.set(key, reading)
    const part = await reading
    // The text is not remembered, so that the next request tries again.
    if (part.type === 'text') shown.delete(key)
    return part
  }

  async function withFiles(content: readonly Part[], seen: Sight, room: Room) {
    let files = 0
    const all = content.map((part) => {
      const file = fileIn(part)
      if (file) files += 1
      // A file is not read if there is no room for any.
      const isRead = file && room.chars > 0 && files <= room.files
      return { part, file, reading: isRead ? read(file, seen) : undefined }
    })
    const parts: Part[] = []
    for (const { part, file, reading } of all) {
      parts.push(part)
      if (!file) continue
      const seenPart = await reading
      parts.push(seenPart && takeRoom(seenPart, room) ? seenPart : leftOut(file))
    }
    return parts
  }

  return {
    transformContext: async (messages) => {
      const seen = sight()
      if (!seen) return messages
      const room: Room = { chars: seen.request, files: mostFiles }
      const newestFirst: Message[] = []
      for (const message of messages.toReversed()) {
        if (message.role !== 'user') newestFirst.push(message)
        else newestFirst.push({ ...message, content: await withFiles(message.content, seen, room) })
      }
      return newestFirst.toReversed()
    },
  }
}

/** The file that a part names, if a model could see it. */
function fileIn(part: Part): NamedFile | undefined {
  const [file] = filesIn([part])
  return file?.digest === undefined ? undefined : { ...file, digest: file.digest }
}

/** Takes the room that a part needs. Returns whether there was enough. */
function takeRoom(part: Part, room: Room): boolean {
  if (part.type === 'text') return true
  const chars = part.data.length
  if (chars > room.chars || room.files < 1) return false
  room.chars -= chars
  room.files -= 1
  return true
}

function leftOut({ name }: AttachedFile): Part {
  return textPart(`[${name} is left out: one request has no room for so many files]`)
}

function textPart(text: string): Part {
  return { type: 'text', text }
}

/** Characters that fit into one call. A multiple of three, so that the pieces can be joined. */
const pieceSize = 0x6000

/** The bytes as base64 text. */
async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += pieceSize) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + pieceSize))))
  }
  return pieces.join('')
}
