import { createStore } from 'zustand/vanilla'
import { storedText, storeText } from './stored-text.ts'

/**
 * A choice that this browser keeps. Before any was made, and where the browser keeps nothing from one visit to the next, it
 * is the first.
 */
export function storedChoice<const Of extends string>(key: string, all: readonly [Of, ...Of[]]) {
  const { setState, ...store } = createStore<{ readonly chosen: Of }>(() => ({
    chosen: all.find((each) => each === storedText(key)) ?? all[0],
  }))
  return {
    ...store,
    choose: (chosen: Of): void => {
      setState({ chosen })
      storeText(key, chosen)
    },
  }
}
