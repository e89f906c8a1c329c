import { isJsonObject, isList, type Json } from '../internal/json.ts'
import type { EventOf } from './events.ts'
import { readArgs } from './message.ts'
import type { Repeat, State } from './state.ts'
import type { ToolCall } from './tool-call.ts'

/** How many different calls a run remembers. */
const remembered = 32

/** Characters of arguments that are read to compare them: megabytes would hold the page. */
const longest = 100_000

type Call = Pick<ToolCall, 'toolName' | 'argsText'>

/** How often the run has made a call so far. */
export function repetitionsOf(repeats: readonly Repeat[], call: Call): number {
  const written = sameWritten(call)
  return repeats.find((repeat) => isSame(repeat, written))?.count ?? 0
}

/** The counts after one more call, which then comes first. If there are too many, the oldest is dropped. */
export function withRepeat(repeats: readonly Repeat[], call: Call): readonly Repeat[] {
  const written = sameWritten(call)
  const before = repeats.find((repeat) => isSame(repeat, written))
  const others = repeats.filter((repeat) => repeat !== before).slice(0, remembered - 1)
  return [{ ...written, count: (before?.count ?? 0) + 1 }, ...others]
}

/** Marks each call of an answer that is equal to an earlier one: only equal calls in different answers are a loop. */
export function withTwins(calls: readonly ToolCall[]): readonly ToolCall[] {
  const made = new Set<string>()
  return calls.map((call, at) => {
    const { toolName, argsText } = call
    // To look a text up takes as long as it is; two long ones seldom have the same length.
    const isTwin =
      argsText.length > longest
        ? calls.slice(0, at).some((one) => isSame(one, call))
        : made.size === made.add(JSON.stringify([toolName, argsText])).size
    return isTwin ? { ...call, isTwin } : call
  })
}

/** Counts a call that starts, if it may run. */
export function countRepeat(state: State, { toolCallId }: EventOf<'tool_execution_start'>): State {
  const { run, batch } = state
  if (!run || !batch) return state
  const index = batch.calls.findIndex((one) => one.toolCallId === toolCallId)
  const call = batch.calls[index]
  if (call?.stage.kind !== 'streaming' || call.retry) return state
  if (call.cancelledBy !== undefined || batch.stopReason !== 'tool_use') return state
  const repeats = call.isTwin ? run.repeats : withRepeat(run.repeats, call)
  const repetitions = call.isTwin ? repetitionsOf(repeats, call) : (repeats[0]?.count ?? 0)
  const calls = batch.calls.with(index, { ...call, repetitions })
  return { ...state, run: { ...run, repeats }, batch: { ...batch, calls } }
}

function isSame(a: Call, b: Call): boolean {
  return a.toolName === b.toolName && a.argsText === b.argsText
}

// The call with its arguments in one form: equal arguments give equal texts, whatever the order of their keys. Long
// arguments stay as they were written.
function sameWritten({ toolName, argsText }: Call): Call {
  const reading = argsText.length > longest ? null : readArgs(argsText)
  return { toolName, argsText: reading?.ok ? JSON.stringify(sorted(reading.args)) : argsText }
}

function sorted(value: Json | undefined): Json {
  if (isList(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value ?? null
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]))
}
