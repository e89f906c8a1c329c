import type { ReactNode } from 'react'
import { ModelButton } from '../model/model-button.tsx'
import { ThemeToggle } from '../theme/theme-toggle.tsx'
import { BrandMark } from '../ui/brand-mark.tsx'

/** Says what this is, and who answers. */
export function Header(): ReactNode {
  return (
    <header className="header">
      <div className="brand">
        <BrandMark />
        <h1>Offthread</h1>
        <p className="purpose">Agents that live in the page</p>
      </div>
      <ModelButton />
      <ThemeToggle />
    </header>
  )
}
