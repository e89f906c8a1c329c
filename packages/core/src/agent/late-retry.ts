import { latePart } from './late-part.ts'

/** What has a call run once more. */
export const retryPart: ReturnType<typeof latePart<typeof import('./retry-tool.ts')>> = latePart(
  () => import('./retry-tool.ts'),
)
