import { createAgent } from '@offthread/core'
import { scriptedModel } from '@offthread/core/testing'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { AttachedFile } from '../files/attached-line.ts'
import { createSession, SessionContext } from '../session.ts'
import { hostTools } from '../tools/host-tools.ts'
import { createDataStore } from '../tools/tables.ts'
import { AttachedFiles } from './attached-files.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('of many files of a message the first are drawn, and their pictures, and the others on demand', async () => {
  show(Array.from({ length: 20_000 }, (_, at) => picture(`${at}.png`, `${at}`)))

  expect(document.querySelectorAll('.file-chip')).toHaveLength(50)
  expect(screen.getAllByTitle('Open')).toHaveLength(50)
  await userEvent.click(screen.getByText('Show more (19,950 files)'))

  expect(document.querySelectorAll('.file-chip')).toHaveLength(100)
})

test('a picture that came twice is drawn twice', () => {
  const error = vi.spyOn(console, 'error')
  show([picture('a.png', 'a'), picture('a.png', 'a'), picture('copy.png', 'a')])

  expect(document.querySelectorAll('.file-chip')).toHaveLength(3)
  expect(screen.getAllByTitle('Open')).toHaveLength(3)
  expect(error).not.toHaveBeenCalled()
})

function picture(name: string, digest: string): AttachedFile {
  return { name, bytes: 1, digest }
}

function show(files: readonly AttachedFile[]): void {
  const options = { dev: false, store: createDataStore() }
  const agent = createAgent({ model: scriptedModel([]), tools: hostTools(options) })
  render(
    <SessionContext value={createSession(agent, options)}>
      <AttachedFiles files={files} />
    </SessionContext>,
  )
}
