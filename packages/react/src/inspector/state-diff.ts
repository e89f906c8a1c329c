import type { AgentState, ToolCallView } from '@offthread/core'

/** One place in which two states differ. */
export interface Change {
  /** The path of the place: `calls.call_1.status`. */
  readonly path: string
  /** The value before; `undefined` if it was not there. */
  readonly before: unknown
  /** The value after; `undefined` if it is not there any more. */
  readonly after: unknown
}

const mostChanges = 100
const mostOfName = 100

/** The differences between two states. Identical objects are skipped, so the cost grows with the changes only. */
export function changesBetween(before: AgentState, after: AgentState): readonly Change[] {
  const changes: Change[] = []

  function compare(path: string, a: unknown, b: unknown): void {
    if (a === b || changes.length >= mostChanges) return
    if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) {
      changes.push({ path, before: a, after: b })
      return
    }
    const [inA, inB] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
    for (const key of new Set([...inA.keys(), ...inB.keys()])) {
      const name = key.length > mostOfName ? `${key.slice(0, mostOfName)}…` : key
      compare(path === '' ? name : `${path}.${name}`, inA.get(key), inB.get(key))
    }
  }

  compare('', plainOf(before), plainOf(after))
  return changes
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** All that a state says, without its functions. */
function plainOf({ toolCalls, branches, runs, messages, ...state }: AgentState): object {
  const { can: _same, access: _always, storage: _too, refused: _never, ...facts } = state
  return {
    ...facts,
    messages: Object.fromEntries(messages.map((message) => [message.id, message])),
    calls: Object.fromEntries(callsIn(toolCalls, messages).map((call) => [call.toolCallId, call])),
    ends: Object.fromEntries(messages.map(({ id }) => [id, runs.get(id)])),
    tips: branches.tips,
  }
}

function callsIn(
  toolCalls: AgentState['toolCalls'],
  messages: AgentState['messages'],
): readonly ToolCallView[] {
  const found = (id: string): readonly ToolCallView[] => {
    const call = toolCalls.get(id)
    return call ? [call, ...(call.children ?? []).flatMap(found)] : []
  }
  return messages.flatMap(({ content }) =>
    [...content].flatMap((part) => (part.type === 'toolCall' ? found(part.toolCallId) : [])),
  )
}
