import { nextTask } from '../internal/next-task.ts'

/** Resolves when everything has happened that can happen without time passing. */
export async function settled(): Promise<void> {
  // An agent imports these parts when it first needs them, which may take more than one task.
  await Promise.allSettled([
    import('../agent/call-part.ts'),
    import('../agent/output.ts'),
    import('../agent/session/stored-session.ts'),
  ])
  await nextTask()
}
