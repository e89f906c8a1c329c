import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { takeBytes } from './artifact-bytes.ts'
import type { ArtifactInput } from './tool-result.ts'

const named = (data: ArtifactInput['data']): ArtifactInput => ({ name: 'a', data })

test('moves whole buffers, each once, and copies parts of them first', () => {
  const buffer = new Uint8Array([1, 2, 3, 4]).buffer
  const all = [buffer, new Uint8Array(buffer), new Uint8Array(buffer, 1, 2), new DataView(buffer)]

  const [first, second, part, third] = takeBytes(all.map(named), 'moved')

  expect(first).toEqual(new Uint8Array([1, 2, 3, 4]).buffer)
  expect(second).toBe(first)
  expect(third).toBe(first)
  expect(part).toEqual(new Uint8Array([2, 3]).buffer)
  expect(buffer.byteLength).toBe(0)
})

test.each(['copied', 'moved'] as const)(
  '%s: a buffer that may grow arrives as one that may not',
  (how) => {
    const growing: ArrayBuffer = Reflect.construct(ArrayBuffer, [4, { maxByteLength: 64 }])

    for (const own of takeBytes([named(growing), named(new Uint8Array(growing))], how)) {
      expect(own).toMatchObject({ byteLength: 4, resizable: false })
    }
  },
)

test('copies buffers that the tool keeps using', async () => {
  const bytes = new Uint8Array([1, 2])
  const [own] = takeBytes([named(bytes)], 'copied')

  bytes.fill(9)

  expect(own).toEqual(new Uint8Array([1, 2]).buffer)
})

test.each(['copied', 'moved'] as const)(
  '%s: takes texts, Blobs and memory that cannot be moved',
  (how) => {
    const blob = new Blob(['b'])
    const wasm = new WebAssembly.Memory({ initial: 1 })
    const shared = new Uint8Array(new SharedArrayBuffer(2)).fill(7)
    const movable = new ArrayBuffer(8)
    const all = [movable, 'ä', blob, wasm.buffer, shared, shared.buffer]

    const taken = takeBytes(
      all.map((data) => ({ name: 'a', data }) as ArtifactInput),
      how,
    )

    const sevens = new Uint8Array([7, 7]).buffer
    expect(taken[0]).toEqual(new ArrayBuffer(8))
    expect(taken[1]).toEqual(new Uint8Array([0xc3, 0xa4]).buffer)
    expect(taken[2]).toBe(blob)
    expect(taken[3]).toHaveProperty('byteLength', 65_536)
    expect(taken.slice(4)).toEqual([sevens, sevens])
    expect(wasm.buffer.byteLength).toBe(65_536)
  },
)

test('bytes of another realm, as Jest has them in jsdom, become bytes of this one', () => {
  const toForeign: (bytes: readonly number[]) => Uint8Array<ArrayBuffer> = runInNewContext(
    '(bytes) => new Uint8Array(bytes)',
  )
  class ForeignEncoder {
    encode = () => toForeign([97])
  }
  vi.stubGlobal('TextEncoder', ForeignEncoder)
  onTestFinished(() => void vi.unstubAllGlobals())
  const all = ['a', toForeign([97]), toForeign([97]).buffer]

  for (const own of takeBytes(all.map(named), 'copied')) {
    expect(own).toBeInstanceOf(ArrayBuffer)
    expect(own).toEqual(new Uint8Array([97]).buffer)
  }
})

test('says which artifact has no bytes, and which were moved away before', () => {
  const given = new ArrayBuffer(4)
  takeBytes([named(given)], 'moved')

  expect(() => takeBytes([named(given)], 'moved')).toThrow(
    'the data of the artifact "a" has moved to the page with an earlier result',
  )
  for (const data of [42, null, {}, undefined]) {
    const wrong = { name: 'a', data } as unknown as ArtifactInput
    for (const how of ['copied', 'moved'] as const) {
      expect(() => takeBytes([wrong], how)).toThrow(/^the data of the artifact "a" must be a Blob/)
    }
  }
})
