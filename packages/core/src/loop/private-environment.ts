import type { AgentEnvironment } from '../agent/options.ts'
import type { Environment } from '../internal/environment.ts'

/** Ids that are to be given out before new ones, by prefix, in order. */
export type GivenIds = Partial<Readonly<Record<'call' | 'msg', readonly string[]>>>

/** The environment of an agent that lives for one run and that nobody looks at: it publishes nothing. */
export function privateEnvironment(
  { newId, ...environment }: Environment,
  ids: GivenIds = {},
): AgentEnvironment {
  const given = new Map(Object.entries(ids).map(([prefix, list]) => [prefix, [...list]]))
  return {
    ...environment,
    newId: (prefix) => given.get(prefix)?.shift() ?? newId(prefix),
    schedule: { soon: () => {}, nextFrame: () => () => {} },
  }
}
