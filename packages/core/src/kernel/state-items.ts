import type { EndedRun, MessageNode, State, SubAgent } from './state.ts'

/**
 * The version of what `fold` makes of a log. Raise it whenever the same log gives another state: stored states of
 * another version are not used.
 */
export const stateVersion = 6

/**
 * A piece of a state, as JSON. Messages and ended runs come one by one, oldest first; each names the one before it by
 * its number among the pieces of its kind. The state itself comes last.
 */
export type StateItem =
  | { readonly kind: 'message'; readonly node: Numbered<MessageNode, 'parent'> }
  | { readonly kind: 'run'; readonly run: Numbered<EndedRun, 'previous'> }
  | { readonly kind: 'state'; readonly state: FlatState }

type Numbered<Item, Link extends keyof Item> = Omit<Item, Link> & {
  readonly [K in Link]: number | null
}

type FlatState = Omit<State, 'head' | 'tips' | 'lastRun' | 'agents'> & {
  readonly head: number | null
  readonly tips: readonly (number | null)[]
  readonly lastRun: number | null
  readonly agents: readonly (readonly [string, Omit<SubAgent, 'state'> & FlatAgent])[]
}

interface FlatAgent {
  readonly state: FlatState
}

/** Splits a state into items. `createStateMaker` puts it together again. */
export function* itemsOf(state: State): Generator<StateItem, void> {
  const nodes = new Map<MessageNode, number>()
  const runs = new Map<EndedRun, number>()
  for (const { head, tips, lastRun } of statesIn(state)) {
    for (const tip of [head, ...tips]) {
      for (const node of newOnes(tip, nodes, ({ parent }) => parent)) {
        const parent = numberOf(node.parent, nodes)
        yield { kind: 'message', node: { ...node, parent } }
      }
    }
    for (const run of newOnes(lastRun, runs, ({ previous }) => previous)) {
      yield { kind: 'run', run: { ...run, previous: numberOf(run.previous, runs) } }
    }
  }
  const flatten = ({ agents, ...rest }: State): FlatState => ({
    ...rest,
    head: numberOf(rest.head, nodes),
    tips: rest.tips.map((tip) => numberOf(tip, nodes)),
    lastRun: numberOf(rest.lastRun, runs),
    agents: [...agents].map(([id, agent]) => [id, { ...agent, state: flatten(agent.state) }]),
  })
  yield { kind: 'state', state: flatten(state) }
}

/** A state and the states of its sub-agents. */
function statesIn(state: State): readonly State[] {
  return [state, ...[...state.agents.values()].flatMap((agent) => statesIn(agent.state))]
}

/** Numbers the items of a linked list that have no number yet, and returns them, oldest first. */
function newOnes<Item>(
  end: Item | null,
  numbers: Map<Item, number>,
  before: (item: Item) => Item | null,
): readonly Item[] {
  const added: Item[] = []
  for (let item = end; item && !numbers.has(item); item = before(item)) added.push(item)
  added.reverse()
  for (const item of added) numbers.set(item, numbers.size)
  return added
}

function numberOf<Item>(item: Item | null, numbers: ReadonlyMap<Item, number>): number | null {
  return item && (numbers.get(item) ?? null)
}

/** Puts a state together from its items. */
export interface StateMaker {
  readonly add: (item: StateItem) => void
  /** The state; `null` before its last item. */
  readonly state: () => State | null
}

export function createStateMaker(): StateMaker {
  const nodes: MessageNode[] = []
  const runs: EndedRun[] = []
  let made: State | null = null

  const nodeAt = (index: number | null): MessageNode | null => at(nodes, index)

  function unflatten({ agents, ...rest }: FlatState): State {
    return {
      ...rest,
      head: nodeAt(rest.head),
      tips: rest.tips.map(nodeAt).filter((tip) => tip !== null),
      lastRun: at(runs, rest.lastRun),
      agents: new Map(
        agents.map(([id, agent]) => [id, { ...agent, state: unflatten(agent.state) }]),
      ),
    }
  }

  return {
    add: (item) => {
      if (item.kind === 'message') nodes.push({ ...item.node, parent: nodeAt(item.node.parent) })
      else if (item.kind === 'run') {
        runs.push({ ...item.run, previous: at(runs, item.run.previous) })
      } else made = unflatten(item.state)
    },
    state: () => made,
  }
}

function at<Item>(items: readonly Item[], index: number | null): Item | null {
  return index === null ? null : (items[index] ?? null)
}
