import type { PlannedCall } from './calls.ts'
import { loadCall, toCall } from './calls.ts'
import type { Conversation, Outcome } from './conversation.ts'
import { wasStopped } from './conversation.ts'
import { filesNamedIn } from './question/tool-requests.ts'
import { tokenise, wordsOf } from './question/words.ts'

/** Which files a question still needs: those it names, else all that came and are not loaded. */
export function filesToLoad(clause: string, conversation: Conversation): readonly string[] {
  const open = openFiles(clause, conversation)
  const named = [...new Set([...filesNamedIn(clause, open), ...filesMeant(clause, open)])]
  if (named.length > 0) return named
  if (conversation.tables.length === 0) return open
  return open.filter(
    (file) => conversation.dropped.includes(file) || wasLoadStopped(file, conversation),
  )
}

/** Files that came, are no table yet, and have not just failed. */
export function openFiles(clause: string, conversation: Conversation): readonly string[] {
  const loaded = new Set(conversation.tables.map((table) => table.file))
  const tried = new Set(conversation.outcomes.filter(isLoad).map(fileOf))
  return conversation.files.filter((file) => {
    if (tried.has(file) || (loaded.has(file) && !conversation.dropped.includes(file))) return false
    const before = lastLoad(file, conversation)
    const again = conversation.dropped.includes(file) || filesNamedIn(clause, [file]).length > 0
    return before === undefined || !before.failed || wasStopped(before) || again
  })
}

/** A load that the reader stopped says nothing about the file: the next question tries it again. */
function wasLoadStopped(file: string, conversation: Conversation): boolean {
  const before = lastLoad(file, conversation)
  return before !== undefined && wasStopped(before)
}

function lastLoad(file: string, { history }: Conversation): Outcome | undefined {
  return history.findLast((outcome) => isLoad(outcome) && fileOf(outcome) === file)
}

/** Loads that failed since the question. */
export function failedLoads(conversation: Conversation): readonly Outcome[] {
  return conversation.outcomes.filter(
    (outcome) => isLoad(outcome) && (outcome.failed || outcome.output === undefined),
  )
}

export function toLoadCall(file: string, pad: boolean): PlannedCall {
  return pad ? toCall('load_table', { file, ragged: 'pad' }) : loadCall(file)
}

export function fileOf(outcome: Outcome): string {
  return typeof outcome.input['file'] === 'string' ? outcome.input['file'] : ''
}

export function isLoad(outcome: Outcome): boolean {
  return outcome.name === 'load_table'
}

/** A word of the question that is a word of the file's name. */
function filesMeant(clause: string, files: readonly string[]): readonly string[] {
  const words = new Set(tokenise(clause).map((token) => token.stem))
  return files.filter((file) =>
    wordsOf(file.replace(/\.[^.]*$/, '')).some(
      (word) => word.length > 2 && !/^\d+$/.test(word) && words.has(word),
    ),
  )
}
