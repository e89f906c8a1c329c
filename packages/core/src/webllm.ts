export type { WebLLMEngine, WebLLMMessage, WebLLMRequest } from './model/webllm/engine.ts'
export { type WebLLMOptions, webllm } from './model/webllm/webllm.ts'
