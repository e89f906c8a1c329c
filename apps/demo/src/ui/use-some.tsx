import { useState } from 'react'
import { counted } from '../text/quantity.ts'

export const atOnce = 50

/** The first of many items, with those that are always shown, and a button that shows more of them. */
export function useSome<Item>(
  items: readonly Item[],
  noun: string,
  isAlways: (item: Item) => boolean = () => false,
) {
  const [shown, setShown] = useState(atOnce)
  const some = items.filter((item, index) => index < shown || isAlways(item))
  const left = items.length - some.length
  const more = left > 0 && (
    <button type="button" className="show-more" onClick={() => setShown(shown + atOnce)}>
      Show more ({counted(left, noun)})
    </button>
  )
  return { some, more }
}
