import type { ReactNode } from 'react'
import { useState } from 'react'
import type { IconName } from '../ui/icon.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Theme } from './theme.ts'
import { applyTheme, storedTheme, themes } from './theme.ts'

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
