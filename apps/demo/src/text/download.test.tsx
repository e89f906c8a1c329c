import { afterEach, expect, test, vi } from 'vitest'
import { download } from './download.ts'

afterEach(() => vi.restoreAllMocks())

test('a file is saved under a name that does not deceive', () => {
  URL.createObjectURL = () => 'blob:made'
  let saved: string | undefined
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved = this.download
  })

  download('safe\u202Egnp.exe', new Blob([]))

  expect(saved).toBe('safe‹U+202E›gnp.exe')
})
