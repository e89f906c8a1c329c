/**
 * The few fields read here, of any ESTree node.
 *
 * @typedef {{
 *   type: string, start: number, name?: string, value?: unknown, kind?: string,
 *   computed?: boolean, declare?: boolean, async?: boolean, await?: boolean,
 *   importKind?: string, exportKind?: string,
 *   id?: Node | null, key?: Node, left?: Node, object?: Node, property?: Node, source?: Node | null,
 *   callee?: Node, arguments?: Node[], quasis?: Node[], elements?: unknown[],
 *   declaration?: Node | null, right?: Node,
 *   local?: Node, param?: Node | null, params?: Node[], specifiers?: Node[],
 * }} Node
 */

/**
 * @param {Node} node
 * @returns {{ key: string, child: Node }[]} the nodes right below, each with the field it stands in
 */
export function childrenOf(node) {
  return Object.entries(node).flatMap(([key, value]) => {
    /** @type {unknown[]} */
    const values = Array.isArray(value) ? value : [value]
    return values.filter(isNode).map((child) => ({ key, child }))
  })
}

/**
 * @param {Node} node
 * @param {string} field
 */
export function childrenIn(node, field) {
  return childrenOf(node).flatMap(({ key, child }) => (key === field ? [child] : []))
}

/**
 * The member a node names: `now` in `Date.now` and `Date['now']`, undefined in `Date[now]`.
 *
 * @param {Node | undefined} node
 * @returns {string | undefined}
 */
export function memberOf(node) {
  const member = node?.property ?? node?.key
  if (typeof member?.value === 'string') return member.value
  return node?.computed ? undefined : member?.name
}

/**
 * @param {unknown} value
 * @returns {value is Node}
 */
function isNode(value) {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
