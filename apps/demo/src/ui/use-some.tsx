import { useState } from 'react'
import { counted } from '../text/quantity.ts'

const atOnce = 50

/** The first of many items, and a button that shows more of them. */
export function useSome<Item>(items: readonly Item[], noun: string) {
  const [shown, setShown] = useState(atOnce)
  const left = items.length - shown
  const more = left > 0 && (
    <button type="button" className="show-more" onClick={() => setShown(shown + atOnce)}>
      Show more ({counted(left, noun)})
    </button>
  )
  return { some: left > 0 ? items.slice(0, shown) : items, more }
}
