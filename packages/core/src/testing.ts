export type {
  ScriptedAnswer,
  ScriptedModel,
  ScriptedModelOptions,
  ScriptedPart,
} from './model/scripted.ts'
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
} from './model/scripted.ts'
export { transcriptProblems } from './model/strict-transcript.ts'
