import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { emptyState } from '../kernel/state.ts'
import { summaryOf } from './corpus.fixtures.ts'
import { readLog } from './read-log.ts'

const corpus = new URL('../../corpus/', import.meta.url)
const releases = readdirSync(corpus).filter((name) => name !== 'damaged')

interface Kept {
  readonly file: string
  readonly sha256: string
}

const kept: readonly (readonly [file: string, entry: Kept])[] = releases.flatMap((release) =>
  manifestOf(`${release}/`).map((entry) => [`${release}/${entry.file}`, entry] as const),
)

test('[D54] there are logs of a release, and none that its list does not name', () => {
  expect(kept.length).toBeGreaterThan(30)
  const files = releases.flatMap((release) =>
    readdirSync(new URL(`${release}/`, corpus)).map((file) => `${release}/${file}`),
  )
  const named = [...kept.map(([file]) => file), ...releases.map((name) => `${name}/manifest.json`)]
  expect(files.toSorted()).toEqual(named.toSorted())
})

test.for(kept)(
  '[D54] a log of a release opens, and says what it said then: %s',
  ([file, entry]) => {
    const text = textOf(file)
    const { sha256, ...summary } = entry

    expect(createHash('sha256').update(text).digest('hex')).toBe(sha256)
    expect({ file: entry.file, ...summaryOf(eventsIn(text)) }).toEqual(summary)
  },
)

const messages: Readonly<Record<string, string>> = JSON.parse(textOf('damaged/messages.json'))
const refusals = Object.entries(messages)

test('[D53] each damaged log has an error of its own', () => {
  const files = readdirSync(new URL('damaged/', corpus)).filter((name) => name.endsWith('.jsonl'))

  expect(refusals.map(([file]) => `${file}.jsonl`).toSorted()).toEqual(files.toSorted())
  expect(refusals.length).toBeGreaterThan(20)
  expect(new Set(refusals.map(([, message]) => message)).size).toBe(refusals.length)
})

test.for(refusals)('[D51] [D53] a log is refused: %s', ([file, message]) => {
  const log = eventsIn(textOf(`damaged/${file}.jsonl`))

  const { problem } = readLog(emptyState('session'), log)

  const kind = message.includes('newer version') ? 'newer' : 'damaged'
  expect(problem).toMatchObject({ name: 'StorageError', kind, message })
})

function manifestOf(folder: string): readonly Kept[] {
  const list: readonly Kept[] = JSON.parse(textOf(`${folder}manifest.json`))
  return list
}

function textOf(file: string): string {
  return readFileSync(new URL(file, corpus), 'utf8')
}

function eventsIn(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
}
