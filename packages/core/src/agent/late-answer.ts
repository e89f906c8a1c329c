import { type LatePart, latePart } from './late-part.ts'

/** The code that writes an answer from outside. A page whose tools run in workers does not load it. */
export const answerPart: LatePart<typeof import('./stage-result.ts')> = latePart(
  () => import('./stage-result.ts'),
)
