import { useDeferredValue, useState } from 'react'
import { counted } from '../text/quantity.ts'
import { MoreButton } from './more-button.tsx'

export const atOnce = 50
const atFirst = 12

/**
 * The first of many items, with those that are always shown, and a button that shows more of them. The first items are
 * rendered at once, the others in a transition, so that the page stays responsive.
 */
export function useSome<Item>(
  items: readonly Item[],
  noun: string,
  isAlways: (item: Item) => boolean = () => false,
) {
  const [shown, setShown] = useState(atOnce)
  const made = useDeferredValue(shown, atFirst)
  const before = (end: number) => items.filter((item, index) => index < end || isAlways(item))
  const some = before(made)
  const left = items.length - before(shown).length
  const more = left > 0 && (
    <MoreButton className="soft show-more" onClick={() => setShown(shown + atOnce)}>
      Show more ({counted(left, noun)})
    </MoreButton>
  )
  return { some, more }
}
