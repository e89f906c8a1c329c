import { type Position, StorageError } from './port.ts'

/** Throws if a session stands elsewhere than its writer believes. */
export function checkPosition(actual: Position, expected: Position): void {
  if (actual.epoch !== expected.epoch) {
    throw new StorageError(
      'not_owner',
      'The session is written by another tab or agent now. Take it over, or open it again to follow it.',
    )
  }
  if (actual.head !== expected.head) {
    throw new StorageError(
      'conflict',
      `The session has ${actual.head} events, not ${expected.head}: another tab or agent has written to it.`,
    )
  }
}
