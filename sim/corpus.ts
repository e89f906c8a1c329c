/**
 * `node sim/write-corpus.mjs VERSION`: writes logs of this release to `packages/core/corpus/VERSION`, once. Every later
 * release has to open them, so they are never written again.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
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
/** So many plans of the sample are kept, at least, whatever they add. */
const least = 12

/** What makes a log worth keeping: kinds of events, ends and outcomes, by whom. */
function kindsIn(log: readonly DurableEvent[]): readonly string[] {
  return log.flatMap((event) => {
    const kind = `${event.agentId === undefined ? '' : 'inner '}${event.type}`
    if (event.type === 'agent_end') return [kind, `${kind} ${event.reason}`]
    return event.type === 'tool_execution_end' ? [kind, `${kind} ${event.outcome}`] : [kind]
  })
}

async function write(): Promise<void> {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name the version: 0.1.0')
  const target = join(folder, version)
  if (existsSync(target))
    throw new Error(`${target} is there. Logs of a release are never written again.`)
  const plans: readonly Plan[] = [...scripts, ...fc.sample(anyPlan, { numRuns: samples, seed: 1 })]
  const seen = new Set<string>()
  const logs: (readonly DurableEvent[])[] = []
  for (const [at, plan] of plans.entries()) {
    const { disk, broken } = await play(plan)
    const log = disk()
    const news = kindsIn(log).filter((kind) => !seen.has(kind))
    if (broken.length > 0 || log.length > 400 || log.length < 2) continue
    if (news.length === 0 && (at >= 100 || logs.length >= least)) continue
    for (const kind of news) seen.add(kind)
    logs.push(log)
  }
  const missing = Object.keys(eventShapes).filter((type) => !seen.has(type))
  console.log(
    `${logs.length} logs, ${seen.size} kinds; types in none: ${missing.join(', ') || 'none'}`,
  )
  mkdirSync(target, { recursive: true })
  const manifest = logs.map((log, at) => {
    const file = `${String(at + 1).padStart(2, '0')}.jsonl`
    const text = log.map((event) => `${JSON.stringify(event)}\n`).join('')
    writeFileSync(join(target, file), text)
    return { file, sha256: createHash('sha256').update(text).digest('hex'), ...summaryOf(log) }
  })
  writeFileSync(join(target, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

keepUncaught()
await write()
