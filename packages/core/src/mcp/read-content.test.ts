import { expect, test } from 'vitest'
import { readContent } from './read-content.ts'

const text = (words: string) => ({ type: 'text', text: words })
const bytes = (...values: readonly number[]) => new Uint8Array(values)

test.for<readonly [block: unknown, part: unknown, file?: object]>([
  [{ type: 'text', text: 'a', annotations: { audience: ['user'] } }, text('a')],
  [
    { type: 'image', mimeType: 'image/png', data: 'AAEC' },
    { type: 'image', mediaType: 'image/png', data: 'AAEC' },
  ],
  [
    { type: 'image', mimeType: 'image/svg+xml', data: 'AAEC' },
    text('[The file image-1 (image/svg+xml, 3 bytes) is not shown here.]'),
    { name: 'image-1', mediaType: 'image/svg+xml', data: bytes(0, 1, 2) },
  ],
  [
    { type: 'audio', mimeType: 'audio/wav', data: 'AAEC' },
    text('[The file audio-1 (audio/wav, 3 bytes) is not shown here.]'),
    { name: 'audio-1', mediaType: 'audio/wav', data: bytes(0, 1, 2) },
  ],
  [
    { type: 'resource', resource: { uri: 'file:///a/notes.txt', text: 'Hello.' } },
    text('file:///a/notes.txt\nHello.'),
  ],
  [
    {
      type: 'resource',
      resource: { uri: 'file:///a/b.pdf', mimeType: 'application/pdf', blob: 'AAEC' },
    },
    { type: 'document', mediaType: 'application/pdf', data: 'AAEC', name: 'b.pdf' },
  ],
  [
    { type: 'resource', resource: { uri: 'file:///a/b.zip?x#y', blob: 'AAEC' } },
    text('[The file b.zip (application/octet-stream, 3 bytes) is not shown here.]'),
    { name: 'b.zip', mediaType: 'application/octet-stream', data: bytes(0, 1, 2) },
  ],
  [
    { type: 'resource_link', uri: 'file:///a', name: 'a', title: 'A', description: 'The first.' },
    text('[Resource file:///a: A, The first.]'),
  ],
  [
    { type: 'image', mimeType: 'image/png', data: 'no base64!' },
    text('[A block of type "image" was left out: it cannot be read.]'),
  ],
  [
    { type: 'image', mimeType: 'IMAGE/PNG; q=1', data: 'AAEC' },
    { type: 'image', mediaType: 'image/png', data: 'AAEC' },
  ],
  [
    { type: 'image', mimeType: 'image/jpg', data: 'AAEC' },
    { type: 'image', mediaType: 'image/jpeg', data: 'AAEC' },
  ],
  [
    { type: 'image', mimeType: 'image/png', data: 'AAEC\nAA\n' },
    { type: 'image', mediaType: 'image/png', data: 'AAECAA==' },
  ],
  [
    { type: 'image', mimeType: 'image/png', data: '' },
    text('[A block of type "image" was left out: it cannot be read.]'),
  ],
  [
    { type: 'resource', resource: { uri: 'a.pdf', mimeType: 'application/pdf', blob: '' } },
    text('[A block of type "resource" was left out: it cannot be read.]'),
  ],
  [
    { type: 'resource', resource: { uri: 'file:///a/', blob: 'no base64!' } },
    text('[A block of type "resource" was left out: it cannot be read.]'),
  ],
  [
    { type: 'resource', resource: { uri: 'https://b.example/', blob: 'AAEC' } },
    text('[The file b.example (application/octet-stream, 3 bytes) is not shown here.]'),
    { name: 'b.example', mediaType: 'application/octet-stream', data: bytes(0, 1, 2) },
  ],
  [
    { type: 'resource_link' },
    text('[A block of type "resource_link" was left out: it cannot be read.]'),
  ],
  [{ type: 'video' }, text('[A block of type "video" was left out: it cannot be read.]')],
  [{ type: { toString: 1 } }, text('[A block of type "unknown" was left out: it cannot be read.]')],
  [
    { type: 'resource', resource: { uri: { toString: 1 }, text: 'Hello.' } },
    text('unknown\nHello.'),
  ],
  [7, text('[A block of type "unknown" was left out: it cannot be read.]')],
])('[MCP4] reads each kind of block, and loses none in silence: %j', ([block, part, file]) => {
  expect(readContent([block])).toEqual({ content: [part], files: file ? [file] : [] })
})

test('[MCP11] more blocks than fit on a card are counted', () => {
  const { content } = readContent(Array.from({ length: 1500 }, () => text('a')))

  expect(content).toHaveLength(1000)
  expect(content.at(-1)).toEqual(text('[501 blocks were left out.]'))
})

test('[MCP11] an address of megabytes costs its length, not its square', () => {
  const uri = `${'a'.repeat(2_000_000)}#\n`

  expect(readContent([{ type: 'resource', resource: { uri, blob: 'AAEC' } }]).files).toMatchObject([
    { name: expect.stringMatching(/^a{100,199}…?$/) },
  ])
})
