import { mutantsAround } from './around.mjs'
import { mutantsAtAServer } from './at-a-server.mjs'
import { mutantsBetweenPages } from './between-pages.mjs'
import { mutantsInDeletions } from './in-deletions.mjs'
import { mutantsInFiles } from './in-files.mjs'
import { mutantsInMessages } from './in-messages.mjs'
import { mutantsInOutputs } from './in-outputs.mjs'
import { mutantsInRetries } from './in-retries.mjs'
import { mutantsInSnapshots } from './in-snapshots.mjs'
import { mutantsInTurns } from './in-turns.mjs'
import { mutantsInWorkers } from './in-workers.mjs'
import { mutantsOfSpeech } from './speech.mjs'
import { mutantsWithoutTheServer } from './without-the-server.mjs'

/**
 * The simulation must find each of these faults; otherwise it proves little. `list.test.ts` checks that the patches
 * still apply.
 *
 * @type {readonly import('./mutant.ts').Mutant[]}
 */
export const mutants = [
  {
    name: 'no re-check at commit',
    edits: [
      {
        file: 'runtime/running-effects.ts',
        find: 'if (going.get(key) !== current) return false',
        replace: '',
      },
    ],
  },
  {
    name: 'dispatch before its durable fact',
    edits: [
      {
        file: 'runtime/run-call.ts',
        find: 'await untilAborted(scope.stored(), live.stopping.signal).catch(() => {})',
        replace: '',
      },
    ],
  },
  {
    name: 'no settlement at recovery',
    edits: [
      {
        file: 'kernel/halt.ts',
        find: "return isLost(state, run) ? 'interrupted' : null",
        replace: 'return null',
      },
    ],
  },
  {
    name: 'going on after a failed append',
    edits: [
      {
        file: 'runtime/journal.ts',
        find: 'if (!hasEnded) onFailure(error)',
        replace: 'isBusy = false',
      },
    ],
  },
  {
    name: 'running calls of a cut-off message',
    edits: [
      {
        file: 'kernel/due-batch-facts.ts',
        find: "if (batch.stopReason !== 'tool_use') return { kind: 'cut_off' }",
        replace: '',
      },
    ],
  },
  {
    name: 'asking again for a turn whose message is committed',
    edits: [
      {
        file: 'kernel/wanted-effects.ts',
        find: "case 'answered':\n      return null",
        replace: "case 'answered':\n      return { ...asking, attempt: attempt + 1, delayMs: 0 }",
      },
      {
        file: 'kernel/wanted-effects.ts',
        find: '...(step && !batch ? [step] : []),',
        replace: '...(step ? [step] : []),',
      },
    ],
  },
  {
    name: 'abort not level-triggered',
    edits: [
      {
        file: 'kernel/halt.ts',
        find: "if (run.abort) return 'aborted'",
        replace: "if (run.abort && run.step.kind !== 'between_turns') return 'aborted'",
      },
    ],
  },
  {
    name: 'an approval with an old digest accepted',
    edits: [
      {
        file: 'agent/approvals.ts',
        find: 'if (response.argsDigest !== stage.argsDigest) {',
        replace: 'if (response.argsDigest === undefined) {',
      },
    ],
  },
  {
    name: 'results in finishing order',
    edits: [
      {
        file: 'kernel/due-batch-facts.ts',
        find: '[endOfBatch(batch.calls.filter(hasEnded), config)]',
        replace:
          '[endOfBatch(batch.calls.filter(hasEnded).toSorted((a, b) => a.stage.endedAt - b.stage.endedAt), config)]',
      },
    ],
  },
  {
    name: 'ends that wait for siblings',
    edits: [
      {
        file: 'runtime/run-call.ts',
        find: 'if (ending) await writeEnd(live, ending)',
        replace: `
          const done = (live.ports.artifacts.done ??= new Set())
          done.add(toolCallId)
          const isOpen = (one) => one.stage.kind === 'running' && !done.has(one.toolCallId)
          while (live.scope.state().batch?.calls.some(isOpen)) {
            await pause(5, environment.clock, live.signal)
          }
          if (ending) await writeEnd(live, ending)`,
      },
    ],
  },
  {
    name: 'a history cut inside a call',
    edits: [
      {
        file: 'kernel/compaction.ts',
        find: "return !excluded && (message.role === 'user' || message.role === 'assistant')",
        replace: "return !excluded && message.role === 'toolResult'",
      },
    ],
  },
  {
    name: 'steering that skips a started call',
    edits: [
      {
        file: 'kernel/due-batch-facts.ts',
        find: 'if (isDispatched(call)) return lost',
        replace:
          "if (state.queues.steering.length > 0) return { kind: 'skipped' }\n  if (isDispatched(call)) return lost",
      },
    ],
  },
  {
    name: 'a hook throw that lets the call run',
    edits: [
      {
        file: 'runtime/prepare-call.ts',
        find: "return [hookFailure('beforeToolCall', messageOf(error)), ended(preparation, denied)]",
        replace: 'return [prepared(preparation, reading.args)]',
      },
    ],
  },
  {
    name: 'retrying after a visible answer without end',
    edits: [
      {
        file: 'kernel/model-retry.ts',
        find: 'return !answer.wasSeen || (run.retry?.seen ?? 0) < replacements',
        replace: 'return true',
      },
    ],
  },
  {
    name: 'a failed answer that stays in the transcript',
    edits: [
      {
        file: 'runtime/ask-model.ts',
        find: "scope.commit({ type: 'message_end', message, excluded: true, error })",
        replace: "scope.commit({ type: 'message_end', message, error })",
      },
    ],
  },
  {
    name: 'steering that resets the count of turns',
    edits: [
      {
        file: 'kernel/next-turn.ts',
        find: "const isOut = from === 'steering' && run.maxTurns",
        replace: 'const isOut = state.queues.steering.length === 0 && run.maxTurns',
      },
      {
        file: 'kernel/next-turn.ts',
        find: 'const { run, config } = situation\n  // A follow-up',
        replace: 'const { state, run, config } = situation\n  // A follow-up',
      },
    ],
  },
  ...mutantsBetweenPages,
  ...mutantsInDeletions,
  ...mutantsInFiles,
  ...mutantsInMessages,
  ...mutantsInOutputs,
  ...mutantsInRetries,
  ...mutantsInSnapshots,
  ...mutantsAtAServer,
  ...mutantsWithoutTheServer,
  ...mutantsAround,
  ...mutantsInTurns,
  ...mutantsInWorkers,
  ...mutantsOfSpeech,
]
