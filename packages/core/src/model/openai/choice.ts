import { type Fields, objectsIn } from '../http/fields.ts'

/** The choice that counts. A server that numbers nothing has only one. */
export function firstChoice(event: Fields): Fields | undefined {
  return objectsIn(event, 'choices').find(({ index }) => (index ?? 0) === 0)
}
