import * as Parts from '@offthread/react/tool-call'
import type { ReactNode } from 'react'
import { download } from '../text/download.ts'
import { textOfParts } from '../text/text-of-parts.ts'
import { CopyIcon } from '../ui/copy-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'

/** What the key for it clicks while the menu is closed. It is seen only when it has copied. */
export function CopyByKey(): ReactNode {
  return (
    <Parts.CopyArgs className="card-copied" aria-label="Copy input" aria-keyshortcuts="y">
      <CopyIcon />
    </Parts.CopyArgs>
  )
}

/** What else one can do with a call. */
export function CardMenu({ children }: { readonly children?: ReactNode }): ReactNode {
  const { call } = Parts.useToolCallPart()
  const { label, toolName, result } = call
  return (
    <Menu label={`More of ${label}`}>
      <Parts.CopyArgs className="menu-item" asChild>
        <button type="button" aria-keyshortcuts="y">
          <CopyIcon />
          Copy input
        </button>
      </Parts.CopyArgs>
      <Parts.CopyResult className="menu-item" asChild>
        <button type="button">
          <CopyIcon />
          Copy result
        </button>
      </Parts.CopyResult>
      {result && (
        <button
          type="button"
          className="menu-item"
          onClick={() =>
            download(`${toolName}.txt`, new Blob([textOfParts(result.content)], textType))
          }
        >
          <Icon name="download" />
          Download result
        </button>
      )}
      {children}
    </Menu>
  )
}

const textType = { type: 'text/plain' }
