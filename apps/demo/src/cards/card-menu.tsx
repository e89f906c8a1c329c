import * as Parts from '@offthread/react/tool-call'
import type { ReactNode } from 'react'
import { download } from '../text/download.ts'
import { textOfParts } from '../text/text-of-parts.ts'
import { Button } from '../ui/button.tsx'
import { CopyIcon } from '../ui/copy-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { labelOf } from './call-summary.ts'

/** The button that the key `y` clicks while the menu is closed. It is visible only for a moment after it has copied. */
export function CopyByKey(): ReactNode {
  return (
    <Parts.CopyArgs className="card-copied" aria-label="Copy input" aria-keyshortcuts="y">
      <CopyIcon />
    </Parts.CopyArgs>
  )
}

/** The menu of a card: further actions on its call. */
export function CardMenu({ children }: { readonly children?: ReactNode }): ReactNode {
  const { call } = Parts.useToolCallPart()
  const { toolName, result } = call
  return (
    <Menu label={`More of ${labelOf(call)}`}>
      <Parts.CopyArgs className="menu-item" aria-keyshortcuts="y">
        <CopyIcon />
        Copy input
      </Parts.CopyArgs>
      <Parts.CopyResult className="menu-item">
        <CopyIcon />
        Copy result
      </Parts.CopyResult>
      {result && (
        <Button
          className="menu-item"
          onClick={() =>
            download(`${toolName}.txt`, new Blob([textOfParts(result.content)], textType))
          }
        >
          <Icon name="download" />
          Download result
        </Button>
      )}
      {children}
    </Menu>
  )
}

const textType = { type: 'text/plain' }
