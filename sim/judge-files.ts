import type { DurableEvent } from '../packages/core/src/kernel/events.ts'
import { redactedText } from '../packages/core/src/kernel/redacted-content.ts'
import { StorageError } from '../packages/core/src/storage/port.ts'
import type { Session } from './session.ts'
import type { Page } from './world/page.ts'

/**
 * Each file of every call whose end is acknowledged can be read, with the bytes that its tool gave. Or the page that
 * had it was notified that it is not stored, and a warning in the log says so.
 */
export async function judgeFiles(session: Session): Promise<void> {
  const { world, judge } = session
  const events = world.disk.events()
  for (const { event, artifactId, name } of events.flatMap(filesIn)) {
    const stored = world.disk.file(artifactId)
    const isRefused = world.refusedFiles.has(artifactId)
    if (!stored && !isRefused && world.disk.isAcknowledged(event))
      judge.broken('D9', `the end of ${event.toolCallId} names a file that is not stored`)
    if (stored && (await stored.text()) !== name)
      judge.broken('D9', `${artifactId} is not the file that the tool gave`)
    for (const page of session.pages) {
      if (page.agent.getState().error?.kind === 'storage') continue
      const isSilent = page.connection?.hasRefused(artifactId) && page.connection.isOwner()
      if (isSilent && !events.some((one) => isWarningOf(one, artifactId)))
        judge.broken('D9', `${artifactId} is not stored, and the log does not say so`)
      const problem = await problemOfReading(session, page, { artifactId, name })
      if (problem !== null) judge.broken('D9', `${artifactId} ${problem}`)
    }
  }
}

function filesIn(event: DurableEvent) {
  if (event.type !== 'tool_execution_end') return []
  return (event.result.artifacts ?? []).map(({ artifactId, name }) => ({ event, artifactId, name }))
}

function isWarningOf(event: DurableEvent, artifactId: string): boolean {
  const isWarning = event.type === 'warning' && event.code === 'artifact_not_stored'
  // A redaction removes what was said while the calls of its message were open, also of a file that stays.
  return isWarning && (event.message.includes(`${artifactId} `) || event.message === redactedText)
}

/**
 * The problem with what a page reads of a file; `null` if there is none. Time passes meanwhile, where the storage takes
 * some.
 */
async function problemOfReading(
  { world }: Session,
  { agent }: Page,
  { artifactId, name }: { readonly artifactId: string; readonly name: string },
): Promise<string | null> {
  let read: { readonly file: Blob | undefined } | { readonly thrown: unknown } | null = null
  agent.getArtifact(artifactId).then(
    (file) => (read = { file }),
    (thrown: unknown) => (read = { thrown }),
  )
  while (read === null) {
    await new Promise<void>((resolve) => process.nextTick(resolve))
    if (read === null && !world.timeline.next()) return 'is never read'
  }
  const found: { readonly file?: Blob | undefined; readonly thrown?: unknown } = read
  if ('thrown' in found) return problemOfFailure(found.thrown, world.plan.loads !== undefined)
  const { file } = found
  if (file) return (await file.text()) === name ? null : 'is read as another file'
  return world.disk.file(artifactId) ? 'is stored, and cannot be read' : null
}

function problemOfFailure(thrown: unknown, mayFail: boolean): string | null {
  if (!(thrown instanceof StorageError)) return `fails with ${String(thrown)}`
  return mayFail ? null : `cannot be read: ${thrown.message}`
}
