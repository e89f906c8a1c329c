import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { panelId } from './panel-frame.tsx'
import type { Panel } from './use-panel.ts'

/** The button for the run panel on wide screens, where the panel is beside the conversation. */
export function PanelButton({ panel }: { readonly panel: Panel }): ReactNode {
  return (
    <button
      type="button"
      className="icon-button panel-button"
      aria-label="Run panel"
      title="Run panel (Ctrl or Cmd + J)"
      aria-expanded={panel.isOpen}
      aria-controls={panelId}
      onClick={panel.toggle}
    >
      <Icon name="waterfall" />
    </button>
  )
}
