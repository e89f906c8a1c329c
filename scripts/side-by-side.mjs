/**
 * Does the same with each item of a list, `atOnce` at a time, and resolves with the outcomes in the order of the
 * list.
 *
 * @template Item, Outcome
 * @param {readonly Item[]} items
 * @param {number} atOnce
 * @param {(item: Item) => Promise<Outcome>} work
 * @returns {Promise<Outcome[]>}
 */
export async function sideBySide(items, atOnce, work) {
  /** @type {Outcome[]} */
  const outcomes = []
  const left = items.entries()
  const takeTurns = async () => {
    for (const [index, item] of left) outcomes[index] = await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, takeTurns))
  return outcomes
}
