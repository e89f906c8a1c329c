import type { State } from '../../packages/core/src/kernel/state.ts'

/** The names of the fields in which two states are not the same. */
export function differences(one: State, other: State): readonly string[] {
  const texts = textsOf(other)
  return [...textsOf(one)].flatMap(([name, text]) => (text === texts.get(name) ? [] : [name]))
}

function textsOf(state: State): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(written(state)).map(([name, value]) => [name, JSON.stringify(value)]),
  )
}

/** Maps as lists, which JSON keeps. */
function written(state: State): object {
  const agents = [...state.agents].map(([id, agent]) => [
    id,
    { ...agent, state: written(agent.state) },
  ])
  return { ...state, agents }
}
