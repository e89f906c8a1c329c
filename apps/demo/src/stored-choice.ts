import { createStore } from 'zustand/vanilla'

/**
 * A choice that this browser keeps. Before any was made, and where the browser keeps nothing from one visit to the next, it
 * is the first.
 */
export function storedChoice<const Of extends string>(key: string, all: readonly [Of, ...Of[]]) {
  const { setState, ...store } = createStore<{ readonly chosen: Of }>(() => ({
    chosen: all.find((each) => each === kept(key)) ?? all[0],
  }))
  return {
    ...store,
    choose: (chosen: Of): void => {
      setState({ chosen })
      try {
        localStorage.setItem(key, chosen)
      } catch {
        // The choice then lasts until the page is closed.
      }
    },
  }
}

function kept(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
