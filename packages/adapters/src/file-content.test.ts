import { expect, test } from 'vitest'
import { contentOfFile } from './file-content.ts'

test.for<readonly [url: string, content: object]>([
  ['data:image/png;base64,iVBORw0K', { type: 'image', mediaType: 'image/png', data: 'iVBORw0K' }],
  [
    'data:image/png;base64,iVBORw%3D%3D',
    { type: 'image', mediaType: 'image/png', data: 'iVBORw==' },
  ],
  ['data:text/csv;base64,', { type: 'document', mediaType: 'text/plain', data: '' }],
  ['data:text/csv,%C3%A4', { type: 'document', mediaType: 'text/plain', data: 'ä' }],
])('[X2] %s is a part of a message', ([url, content]) => {
  expect(contentOfFile(url, '', undefined)).toEqual(content)
})

test.for<readonly [url: string, name: string | undefined, words: string]>([
  ['data:image/png;base64,%%%', 'a.png', 'The file a.png is not in the message, or its address'],
  ['data:image/png;base64,?', 'a.png', 'The file a.png is not in the message, or its address'],
  ['https://a.example/b.png', 'b.png', 'The file b.png is not in the message'],
  ['data:application/zip;base64,AAAA', undefined, 'A file is application/zip. A message holds'],
])('[X2] %s is refused by a sentence that names it', ([url, name, words]) => {
  expect(() => contentOfFile(url, '', name)).toThrow(words)
})
