export type { FakeClock } from './testing/fake-clock.ts'
export { fakeClock } from './testing/fake-clock.ts'
export type { FakeWorker, FakeWorkers, FakeWorkersOptions } from './testing/fake-workers.ts'
export { fakeWorkers } from './testing/fake-workers.ts'
export type {
  ScriptedAnswer,
  ScriptedModel,
  ScriptedModelOptions,
  ScriptedPart,
} from './testing/scripted.ts'
export {
  breakOff,
  call,
  fail,
  finish,
  hold,
  rawCall,
  say,
  scriptedModel,
  think,
  uses,
} from './testing/scripted.ts'
export { transcriptProblems } from './testing/strict-transcript.ts'
export type { TestAgent } from './testing/test-agent.ts'
export { testAgent } from './testing/test-agent.ts'
