/** All that is done with calls. A page loads it when a model names the first one. */
export { createCallEffects } from './call-effects.ts'
export { retryStart, retryWish } from './retry-tool.ts'
export { stageResult } from './stage-result.ts'
