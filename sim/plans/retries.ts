import type { ActionPlan } from '../plan.ts'

/** Calls are run once more: while others of their answer are open or checked, and after the conversation has gone on. */
export const retries: readonly ActionPlan[] = [
  ...Array.from({ length: 14 }, (_, index) => 8 + 3 * index).map(
    (seq) => ({ at: { seq }, do: 'retry', pick: seq }) as const,
  ),
  // The last first, so that an earlier one is retried while a later one is checked.
  ...[3, 2, 1, 0].map((pick) => ({ at: 'rest', do: 'retry', pick }) as const),
]
