import { type LatePart, latePart } from './late-part.ts'

/** The code that runs a call once more. */
export const retryPart: LatePart<typeof import('./retry-tool.ts')> = latePart(
  () => import('./retry-tool.ts'),
)
