import type { ReactNode } from 'react'
import { formatBytes } from '../text/quantity.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface FileChipProps {
  readonly name: string
  readonly bytes: number
  readonly onRemove?: () => void
}

export function FileChip({ name, bytes, onRemove }: FileChipProps): ReactNode {
  return (
    <li className="small file-chip">
      <Icon name="file" />
      <span className="cut file-chip-name">{name}</span>
      <span className="file-chip-size">{formatBytes(bytes)}</span>
      {onRemove && (
        <Button className="file-chip-remove" aria-label={`Remove ${name}`} onClick={onRemove}>
          <Icon name="cross" />
        </Button>
      )}
    </li>
  )
}
