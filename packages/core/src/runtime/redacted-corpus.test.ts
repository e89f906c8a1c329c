import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bareEvent } from '../kernel/bare-event.ts'
import type { DurableEvent } from '../kernel/events.ts'
import { fold } from '../kernel/fold.ts'
import { redactionOf } from '../kernel/redaction-target.ts'
import { createRedactor } from '../kernel/redactor.ts'
import { emptyState, type State } from '../kernel/state.ts'
import { problemOf, wholeTranscript } from '../kernel/transcript.ts'
import { readLog } from './read-log.ts'

const corpus = new URL('../../corpus/', import.meta.url)
const logs = readdirSync(corpus)
  .filter((release) => release !== 'damaged')
  .flatMap((release) =>
    readdirSync(new URL(`${release}/`, corpus))
      .filter((file) => file.endsWith('.jsonl'))
      .map((file): [string, readonly DurableEvent[]] => [
        `${release}/${file}`,
        readFileSync(new URL(`${release}/${file}`, corpus), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as DurableEvent),
      ]),
  )

/** As a later version may write them, which has more sources of messages. */
const laterLogs = logs.map(([file, log]): [string, readonly DurableEvent[]] => {
  const text = JSON.stringify(log).replaceAll('"source":"follow_up"', '"source":"later"')
  return [`${file}, with sources of a later version`, JSON.parse(text) as DurableEvent[]]
})

test.for([...logs, ...laterLogs.filter(([, log]) => JSON.stringify(log).includes('later'))])(
  '[D31] [D33] any message of a log can be redacted, and it keeps its shape: %s',
  ([, log]) => {
    const whole = stateOf(log)
    const ids = log.flatMap((event) =>
      event.type === 'message_end' && event.agentId === undefined ? [event.message.id] : [],
    )
    for (const id of ids) {
      const target = redactionOf({ ...whole, run: null, batch: null }, id)
      if (typeof target === 'string') continue
      const redactor = createRedactor(target)
      let before = emptyState('corpus')
      for (const event of log) {
        redactor.add(before, event)
        before = fold(before, event)
      }
      const redacted = [...log]
      for (const event of redactor.replaced()) redacted[event.seq] = event

      const { state, problem } = readLog(emptyState('corpus'), redacted)

      expect(problem).toBeNull()
      expect(redacted.map(bareEvent)).toEqual(log.map(bareEvent))
      expect(outlineOf(state)).toEqual(outlineOf(whole))
      expect(problemOf(wholeTranscript(state, 10_000, false))).toBeNull()
      const [own] = redacted.filter(
        (event) => event.type === 'message_end' && event.message.id === id,
      )
      expect(own).toMatchObject({ message: { redacted: true } })
    }
  },
)

function stateOf(log: readonly DurableEvent[]): State {
  return log.reduce(fold, emptyState('corpus'))
}

/** What a state says of messages, calls, queues and runs, but not what they say. */
function outlineOf({ head, tips, queues, lastRun, run, batch }: State): unknown {
  const paths = [head, ...tips].map((tip) => {
    const path: unknown[] = []
    for (let node = tip; node; node = node.parent) {
      const { message, depth, seq, excluded, calls } = node
      const stages = calls.map(({ toolCallId, stage }) => [toolCallId, stage.kind])
      path.push([message.id, message.role, depth, seq, excluded, stages])
    }
    return path
  })
  const lengths = [queues.steering.length, queues.followUp.length]
  const calls = batch?.calls.map(({ toolCallId, stage }) => [toolCallId, stage.kind])
  return [paths, lengths, lastRun?.runId, lastRun?.reason, run?.step.kind, calls]
}
