import { fromBase64, toBase64 } from '../internal/base64.ts'
import { cutEnd } from '../internal/cut-text.ts'
import { isList, isObject } from '../internal/json.ts'
import type { Part } from '../kernel/message.ts'
import { maxItems } from '../tools/content.ts'
import { formatBytes } from '../tools/result/cut-bytes.ts'

/** Bytes that no part of a message holds, such as audio. */
export interface McpFile {
  /** The last part of the file's address, if it has one. */
  readonly name: string
  /** The media type, as the server states it. */
  readonly mediaType: string
  /** The bytes of the whole file. */
  readonly data: Uint8Array<ArrayBuffer>
}

/** Content of an MCP server: what a model reads, and the files beside it, each of which the text names. */
export interface McpContent {
  /** Texts, images and PDFs. */
  readonly content: readonly Part[]
  /** Files with all other bytes. */
  readonly files: readonly McpFile[]
}

type Fields = { readonly [key: string]: unknown }

/** The image types that all providers take; any other image is a file. */
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/**
 * Reads the blocks of a result or a message. A block that cannot be read is named in the text, so that nothing is lost
 * in silence.
 */
export function readContent(blocks: unknown): McpContent {
  const all: readonly unknown[] = isList(blocks) ? blocks : blocks === undefined ? [] : [blocks]
  const files: McpFile[] = []
  const content = all.slice(0, maxItems - 1).flatMap((block) => readBlock(block, files))
  if (all.length < maxItems) return { content, files }
  return {
    content: [...content, text(`[${all.length - maxItems + 1} blocks were left out.]`)],
    files,
  }
}

/** Reads what a resource holds: one entry, or several. */
export function readResourceContents(contents: readonly unknown[]): McpContent {
  return readContent(contents.map((resource) => ({ type: 'resource', resource })))
}

function readBlock(block: unknown, files: McpFile[]): readonly Part[] {
  if (!isObject(block)) return [leftOut('unknown')]
  const { type } = block
  if (type === 'text' && typeof block['text'] === 'string') return [text(block['text'])]
  if (type === 'image' || type === 'audio') return readBytes(block, block['data'], files)
  if (type === 'resource_link' && typeof block['uri'] === 'string') return [text(lineOfLink(block))]
  if (type === 'resource' && isObject(block['resource']))
    return readResource(block['resource'], files)
  return [leftOut(type)]
}

function readResource(resource: Fields, files: McpFile[]): readonly Part[] {
  const { uri, text: words, blob } = resource
  if (typeof words === 'string') return [text(`${lineOf(uri)}\n${words}`)]
  return readBytes({ ...resource, type: 'resource' }, blob, files)
}

/** An image or a PDF as a part; a name in the text for all other bytes. */
function readBytes(
  { type, mimeType, uri }: Fields,
  data: unknown,
  files: McpFile[],
): readonly Part[] {
  const mediaType = typeof mimeType === 'string' ? typeIn(mimeType) : 'application/octet-stream'
  const bytes = typeof data === 'string' ? fromBase64(data) : null
  if (typeof data !== 'string' || bytes === null) return [leftOut(type)]
  const name = nameOf(uri, `${String(type)}-${files.length + 1}`)
  const isImage = imageTypes.includes(mediaType)
  const isPdf = mediaType === 'application/pdf'
  // A provider refuses every further request with one that is empty, or written in lines.
  if ((isImage || isPdf) && bytes.length === 0) return [leftOut(type)]
  if (isImage) return [{ type: 'image', mediaType, data: inOneLine(data, bytes) }]
  if (isPdf) return [{ type: 'document', mediaType, data: inOneLine(data, bytes), name }]
  files.push({ name, mediaType, data: bytes })
  return [
    text(`[The file ${name} (${mediaType}, ${formatBytes(bytes.length)}) is not shown here.]`),
  ]
}

/** Base64 as providers take it: without line breaks, and of whole groups. */
function inOneLine(data: string, bytes: Uint8Array): string {
  return data.length % 4 === 0 && !/\s/.test(data) ? data : toBase64(bytes)
}

/** The media type alone: `IMAGE/PNG; q=1` and `image/jpg` are images as well. */
function typeIn(mimeType: string): string {
  const [type = ''] = lineOf(mimeType).split(';', 1)
  return type.trim().toLowerCase().replace('image/jpg', 'image/jpeg')
}

function lineOfLink({ uri, name, title, description, mimeType }: Fields): string {
  const words = [title ?? name, description].filter((one) => typeof one === 'string')
  const kind = typeof mimeType === 'string' ? ` (${mimeType})` : ''
  return cutEnd(`[Resource ${String(uri)}${kind}: ${words.join(', ')}]`, 2000)
}

/** The last part of an address. It is found without a regular expression, which may take hours over megabytes. */
function nameOf(uri: unknown, otherwise: string): string {
  const [path = ''] = typeof uri === 'string' ? uri.split(/[?#]/, 1) : []
  const end = path.endsWith('/') ? path.length - 1 : path.length
  const last = path.slice(path.lastIndexOf('/', end - 1) + 1, end)
  return cutEnd(last || otherwise, 200)
}

function lineOf(value: unknown): string {
  return cutEnd(typeof value === 'string' ? value : 'unknown', 500)
}

function leftOut(type: unknown): Part {
  return text(`[A block of type ${JSON.stringify(lineOf(type))} was left out: it cannot be read.]`)
}

function text(words: string): Part {
  return { type: 'text', text: words }
}
