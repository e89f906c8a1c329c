import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { Button } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { type Theme, theme, themes } from './theme.ts'

const icons: Readonly<Record<Theme, IconName>> = { system: 'auto', light: 'sun', dark: 'moon' }

/** A button that cycles through the themes. */
export function ThemeToggle(): ReactNode {
  const { chosen: current } = useStore(theme)
  const next = themes[(themes.indexOf(current) + 1) % themes.length] ?? 'system'
  return (
    <Button
      className="icon-button"
      aria-label={`Theme: ${current}. Change to ${next}`}
      title={`Theme: ${current}`}
      onClick={() => theme.choose(next)}
    >
      <Icon name={icons[current]} />
    </Button>
  )
}
