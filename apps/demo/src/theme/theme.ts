export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'offthread-theme'

/** The stored choice. Without storage, as in some private windows, it is `system`. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key)
    return themes.find((theme) => theme === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Applies a theme and stores it. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  try {
    localStorage.setItem(key, theme)
  } catch {
    // The choice then lasts until the page is closed.
  }
}
