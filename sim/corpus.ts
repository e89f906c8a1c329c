/**
 * `node sim/write-corpus.mjs VERSION`: writes logs of this release to `packages/core/corpus/VERSION`, one of each kind that
 * is not there yet. Every later release has to open them, so what is there is never written again.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { DurableEvent } from '../packages/core/src/kernel/events.ts'
import { summaryOf } from '../packages/core/src/runtime/corpus.fixtures.ts'
import { eventShapes } from '../packages/core/src/runtime/event-shapes.ts'
import { scripts } from './modes/scripts.ts'
import type { Plan } from './plan.ts'
import { anyPlan } from './plans/any-plan.ts'
import { play } from './play.ts'
import { keepUncaught } from './uncaught.ts'

const [, , version = '', folder = ''] = process.argv
const samples = 4000
/** The fewest plans of the sample that are kept, whatever they add. */
const least = 12

/** What makes a log worth keeping: kinds of events, ends and outcomes, by whom. */
function kindsIn(log: readonly DurableEvent[]): readonly string[] {
  return log.flatMap((event) => {
    const kind = `${event.agentId === undefined ? '' : 'inner '}${event.type}`
    if (event.type === 'agent_end') return [kind, `${kind} ${event.reason}`]
    if (event.type === 'message_end' && event.message.redacted)
      return [kind, `${kind} redacted ${event.message.role}`]
    if (event.type === 'agent_start') return [kind, ...(event.output ? [`${kind} output`] : [])]
    if (event.type === 'output_checked') {
      const fits = event.problem === undefined && !event.failed
      return [kind, `${kind} ${fits ? 'fits' : 'does not fit'}`]
    }
    if (event.type !== 'tool_execution_end') return [kind]
    const { outcome, partialResult, logs, result } = event
    const parts = Object.entries({ partialResult, logs, artifacts: result.artifacts })
    const present = parts.flatMap(([name, value]) => (value ? [`${kind} ${name}`] : []))
    return [kind, `${kind} ${outcome}`, ...present]
  })
}

interface Listed {
  readonly file: string
}

/** Reads the part of the corpus that is there for this release. */
function readCorpus(target: string) {
  const path = join(target, 'manifest.json')
  const listed = (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []) as Listed[]
  const kinds = listed.flatMap(({ file }) => {
    const lines = readFileSync(join(target, file), 'utf8').trim().split('\n')
    return kindsIn(lines.map((line) => JSON.parse(line) as DurableEvent))
  })
  return { path, listed, seen: new Set(kinds) }
}

async function write(): Promise<void> {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name the version: 0.1.0')
  const target = join(folder, version)
  mkdirSync(target, { recursive: true })
  const { path, listed, seen } = readCorpus(target)
  const isNew = listed.length === 0
  const plans: readonly Plan[] = [...scripts, ...fc.sample(anyPlan, { numRuns: samples, seed: 1 })]
  const logs: (readonly DurableEvent[])[] = []
  for (const [at, plan] of plans.entries()) {
    const { disk, broken } = await play(plan)
    const log = disk()
    const news = kindsIn(log).filter((kind) => !seen.has(kind))
    if (broken.length > 0 || log.length > 400 || log.length < 2) continue
    if (news.length === 0 && (!isNew || at >= 100 || logs.length >= least)) continue
    for (const kind of news) seen.add(kind)
    logs.push(log)
  }
  const missing = Object.keys(eventShapes).filter((type) => !seen.has(type))
  console.log(
    `${logs.length} new logs, ${seen.size} kinds; types in none: ${missing.join(', ') || 'none'}`,
  )
  const added = logs.map((log, at) => {
    const file = `${String(listed.length + at + 1).padStart(2, '0')}.jsonl`
    const text = log.map((event) => `${JSON.stringify(event)}\n`).join('')
    writeFileSync(join(target, file), text)
    return { file, sha256: createHash('sha256').update(text).digest('hex'), ...summaryOf(log) }
  })
  writeFileSync(path, `${JSON.stringify([...listed, ...added], null, 2)}\n`)
}

keepUncaught()
await write()
