import type { Saying } from '../../packages/core/rules/said.ts'
import {
  type Mouth,
  type TalkStep,
  talk,
  talkKinds,
} from '../../packages/core/src/tools/fixtures/talk.fixtures.ts'

export interface Speech {
  readonly mouth: Mouth
  readonly wait: (ms: number) => Promise<void>
  /** Notes that something was sent. */
  readonly note: (saying: Saying) => void
}

/** What a call sends if its plan does not say. */
const usual: readonly TalkStep[] = [
  { say: talkKinds, times: 2, afterMs: 0 },
  { say: ['update', 'number'], times: 2, afterMs: 5 },
]

/** Says what the plan of a call says, each thing once. */
export async function speak(
  { mouth, wait, note }: Speech,
  script: readonly TalkStep[] = usual,
): Promise<void> {
  let n = 0
  for (const { say, times, afterMs } of script) {
    if (afterMs > 0) await wait(afterMs)
    for (const kind of Array.from({ length: times }, () => say).flat()) {
      n += 1
      const saying = tryTo(() => talk(mouth, kind, n))
      if (saying) note(saying)
    }
  }
}

/** Returns `null` if sending throws: a call may send only so many events to be stored. */
function tryTo(say: () => Saying): Saying | null {
  try {
    return say()
  } catch {
    return null
  }
}
