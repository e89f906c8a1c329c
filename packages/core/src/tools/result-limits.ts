import type { DocumentContent, ImageContent, Part } from '../kernel/message.ts'

/** The most bytes of text, of details and of structured content that leave the place where a tool ran. */
export const maxResultBytes = 1_000_000

/** The most characters of one image or document as base64 text; providers refuse more of an image. */
export const maxBase64Chars = 5_000_000

/** The most characters of all images and documents of one result: more than providers take in a request. */
export const maxBinaryChars = 30_000_000

/** Content whose data is bytes as base64 text. */
export type BinaryPart =
  | ImageContent
  | (DocumentContent & { readonly mediaType: 'application/pdf' })

export function isBinary(part: Part): part is BinaryPart {
  return part.type === 'image' || (part.type === 'document' && part.mediaType !== 'text/plain')
}
