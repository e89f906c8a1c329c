import { latePart } from './late-part.ts'

/** What writes an answer from outside: a page whose tools run in workers never does. */
export const answerPart: ReturnType<typeof latePart<typeof import('./stage-result.ts')>> = latePart(
  () => import('./stage-result.ts'),
)
