import { type ReactNode, useState } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const key = 'offthread-theme'

const icons: Readonly<Record<Theme, IconName>> = { system: 'auto', light: 'sun', dark: 'moon' }

/** A button that cycles through the themes. */
export function ThemeToggle(): ReactNode {
  const [theme, setTheme] = useState(storedTheme)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const change = (): void => {
    applyTheme(next)
    setTheme(next)
  }
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={`Theme: ${theme}. Change to ${next}`}
      title={`Theme: ${theme}`}
      onClick={change}
    >
      <Icon name={icons[theme]} />
    </button>
  )
}

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
