import { latePart } from './late-part.ts'

/** The code that runs a call once more. */
export const retryPart: ReturnType<typeof latePart<typeof import('./retry-tool.ts')>> = latePart(
  () => import('./retry-tool.ts'),
)
