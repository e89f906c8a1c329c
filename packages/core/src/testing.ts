export type { ScriptedAnswer, ScriptedModel, ScriptedPart } from './model/scripted.ts'
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
} from './model/scripted.ts'
