import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { RunPanel, type RunPanelProps } from '../run-panel/run-panel.tsx'
import { runPanelStyles } from '../run-panel/styles.ts'
import { devtoolsStyles } from './devtools-styles.ts'

/** Where the devtools live. */
export interface DevtoolsRoot {
  readonly render: (props: RunPanelProps) => void
  readonly unmount: () => void
}

/** Adds an element to the body, with a shadow root that the devtools are rendered into. */
export function createDevtoolsRoot(): DevtoolsRoot {
  const host = document.createElement('offthread-devtools')
  // Keys that are typed here must not trigger shortcuts of the page.
  for (const type of ['keydown', 'keyup', 'keypress']) {
    host.addEventListener(type, (event) => event.stopPropagation())
  }
  const shadow = host.attachShadow({ mode: 'open' })
  // Not a `style` element: a content security policy may forbid it.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(devtoolsStyles + runPanelStyles)
  shadow.adoptedStyleSheets = [sheet]
  document.body.append(host)
  const root = createRoot(shadow)
  return {
    render: (props) => root.render(<Devtools {...props} />),
    unmount: () => {
      // React may be rendering the page at this moment, and another root cannot be unmounted then.
      setTimeout(() => {
        root.unmount()
        host.remove()
      })
    },
  }
}

function Devtools(props: RunPanelProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    // The button that was pressed is gone.
    if (wasOpen.current && !isOpen) toggle.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (!isOpen) {
    return (
      <button
        ref={toggle}
        type="button"
        className="toggle"
        aria-label="Open the Offthread devtools"
        onClick={() => setOpen(true)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M2 16.5h20M3.5 16.5c4 0 3.5-9 8.5-9s4.5 9 8.5 9" />
        </svg>
      </button>
    )
  }
  return (
    <aside className="dock" aria-label="Offthread devtools">
      <button
        type="button"
        className="close"
        aria-label="Close the devtools"
        onClick={() => setOpen(false)}
      >
        ×
      </button>
      <RunPanel {...props} />
    </aside>
  )
}
