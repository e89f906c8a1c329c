/** A store for `useSyncExternalStore`. */
interface Store<State> {
  readonly getState: () => State
  readonly subscribe: (listener: () => void) => () => void
}

/**
 * A store that changes at most every `ms` milliseconds: the first change is shown at once, those that follow within
 * `ms` are shown together at the end of it. For one subscriber.
 */
export function throttled<State>(store: Store<State>, ms: number): Store<State> {
  let shown = store.getState()
  return {
    getState: () => shown,
    subscribe: (listener) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const show = (): void => {
        timer = undefined
        const state = store.getState()
        if (state === shown) return
        shown = state
        timer = setTimeout(show, ms)
        listener()
      }
      // The state may have changed between the first render and now.
      shown = store.getState()
      const unsubscribe = store.subscribe(() => {
        if (timer === undefined) show()
      })
      return () => {
        unsubscribe()
        clearTimeout(timer)
      }
    },
  }
}
