import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { type Execute, ToolError } from '@offthread/core/worker'
import type { hashFile } from './definitions.ts'
import { readChunks } from './table/read-text.ts'

const algorithms = { sha256, sha1, md5 }

// Not `crypto.subtle.digest`: it needs all bytes at once.
const execute: Execute<typeof hashFile> = async ({ file: name, algorithm }, context) => {
  const { file } = context.resources
  if (!(file instanceof Blob)) throw new ToolError('not_found', `There is no file "${name}".`)
  const hash = algorithms[algorithm].create()
  let bytes = 0
  for await (const chunk of readChunks(file)) {
    hash.update(chunk)
    bytes += chunk.length
    context.onProgress({ value: bytes, total: file.size, unit: 'bytes' })
    await context.yield()
  }
  return { file: name, bytes, algorithm, hash: bytesToHex(hash.digest()) }
}

export default execute
