/** All that is done with calls, and hooks before requests. A page loads it when a model names the first call. */
export { checkedPrompt } from '../runtime/check-prompt.ts'
export { transformed } from '../runtime/transform-context.ts'
export { createCallEffects } from './call-effects.ts'
export { retryStart, retryWish } from './retry-tool.ts'
export { stageResult } from './stage-result.ts'
