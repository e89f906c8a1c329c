import { type ReactNode, useEffect, useState } from 'react'

/** The files of a drop, and the number of folders, which cannot be attached. */
export interface Dropped {
  readonly files: readonly File[]
  readonly folders: number
}

/** Accepts files dropped anywhere on the page, and shows a hint while they are dragged over it. */
export function DropZone({ onDrop }: { readonly onDrop: (dropped: Dropped) => void }): ReactNode {
  const [over, setOver] = useState(false)
  useEffect(() => watchDrags(onDrop, setOver), [onDrop])
  return (
    <div className="drop-zone" data-over={over} aria-hidden="true">
      <div className="column drop-zone-hint">
        <p className="drop-zone-text">Drop files to attach them</p>
        <p className="soft drop-zone-note">
          Ask tables (CSV, TSV, JSON), edit images, search texts. Nothing is uploaded.
        </p>
      </div>
    </div>
  )
}

function watchDrags(
  onDrop: (dropped: Dropped) => void,
  onOver: (over: boolean) => void,
): () => void {
  const controller = new AbortController()
  const { signal } = controller
  // Entering a child also leaves its parent, so entries and exits are counted.
  let depth = 0
  const move = (step: number) => (event: DragEvent) => {
    if (!carriesFiles(event.dataTransfer)) return
    event.preventDefault()
    depth = Math.max(0, depth + step)
    onOver(depth > 0)
  }
  window.addEventListener('dragenter', move(1), { signal })
  window.addEventListener('dragleave', move(-1), { signal })
  window.addEventListener('dragover', move(0), { signal })
  window.addEventListener(
    'drop',
    (event) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      depth = 0
      onOver(false)
      onDrop(droppedFiles(event.dataTransfer))
    },
    { signal },
  )
  return () => controller.abort()
}

/** Reads a drop. Only the entry distinguishes a folder from an empty file. */
function droppedFiles(transfer: DataTransfer): Dropped {
  const files: File[] = []
  let folders = 0
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue
    if (item.webkitGetAsEntry()?.isDirectory) {
      folders += 1
      continue
    }
    const file = item.getAsFile()
    if (file) files.push(file)
  }
  return { files, folders }
}

/** Whether a drag carries files. The browser handles text and links. */
function carriesFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes('Files') ?? false
}
