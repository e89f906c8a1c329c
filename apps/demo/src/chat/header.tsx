import type { ReactNode } from 'react'
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
      <p className="model-chip">
        <strong>Scripted planner</strong>
        <span> — rules, not a language model</span>
      </p>
      <ThemeToggle />
    </header>
  )
}
