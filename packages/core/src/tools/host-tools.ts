import { isList, isObject } from '../internal/json.ts'
import type { Tool } from './definition.ts'

/** The functions that make a place of some tools. */
const hosts = {
  worker: 'inWorkers',
  page: 'inPage',
  client: 'inClient',
  isolated: 'inIsolation',
} as const

/**
 * Checks the tools that are given to one place. Throws a `TypeError` that says what to do when there are none,
 * when two have one name, and when one belongs elsewhere.
 */
export function checkHostTools(tools: readonly Tool[], place: Tool['place']): void {
  const host = hosts[place]
  if (!isList(tools) || tools.length === 0 || !tools.every(isObject))
    throw new TypeError(`${host} needs at least one ${listed(place, 'tool')}.`)
  const names = tools.map(({ name }) => name)
  const duplicate = names.find((name, i) => names.indexOf(name) !== i)
  if (duplicate !== undefined) {
    throw new TypeError(`There are two tools named "${duplicate}": give one another name.`)
  }
  const misplaced = tools.find((tool) => tool.place !== place)
  if (misplaced) {
    const { name, place: its } = misplaced
    throw new TypeError(
      `Tool "${name}" has the place '${its}', which is not for ${host}. Use ${hosts[its]}([${listed(its, name)}]), or give its definition place: '${place}'.`,
    )
  }
}

function listed(place: Tool['place'], tool: string): string {
  return place === 'page' ? `implement(${tool}, …)` : tool
}

/** Whether a tool has a thread of its own, which can be started before its call and be ended with it. */
export function runsInWorker({ place }: Pick<Tool, 'place'>): boolean {
  return place === 'worker' || place === 'isolated'
}
