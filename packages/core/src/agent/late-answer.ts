import { latePart } from './late-part.ts'

/** The code that writes an answer from outside. A page whose tools run in workers does not load it. */
export const answerPart: ReturnType<typeof latePart<typeof import('./stage-result.ts')>> = latePart(
  () => import('./stage-result.ts'),
)
