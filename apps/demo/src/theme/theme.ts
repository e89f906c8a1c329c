import { createStore } from 'zustand/vanilla'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'offthread-theme'

const { setState, ...store } = createStore<{ readonly theme: Theme }>(() => ({
  theme: storedTheme(),
}))

/** The theme of the page. */
export const theme = {
  ...store,
  /** Applies a theme and stores it. */
  choose: (chosen: Theme): void => {
    apply(chosen)
    try {
      localStorage.setItem(key, chosen)
    } catch {
      // The choice then lasts until the page is closed.
    }
    setState({ theme: chosen })
  },
  /** Applies the theme that was chosen before. */
  apply: (): void => apply(store.getState().theme),
}

function apply(chosen: Theme): void {
  document.documentElement.dataset['theme'] = chosen
}

/** The stored choice. Without storage, as in some private windows, it is `system`. */
function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key)
    return themes.find((each) => each === stored) ?? 'system'
  } catch {
    return 'system'
  }
}
