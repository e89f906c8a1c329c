import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'

/** What was dropped or picked: the files, and how many things were none. */
export interface Dropped {
  readonly files: readonly File[]
  readonly folders: number
}

/** Takes files dropped anywhere on the page, and says so while they hover over it. */
export function DropZone({ onDrop }: { readonly onDrop: (dropped: Dropped) => void }): ReactNode {
  const [over, setOver] = useState(false)
  useEffect(() => watchDrags({ onDrop, onOver: setOver }), [onDrop])
  return (
    <div className="drop-zone" data-over={over} aria-hidden="true">
      <p className="drop-zone-text">Drop files to attach them</p>
      <p className="drop-zone-note">CSV, TSV or JSON become tables. Nothing is uploaded.</p>
    </div>
  )
}

interface DragWatch {
  readonly onDrop: (dropped: Dropped) => void
  readonly onOver: (over: boolean) => void
}

function watchDrags({ onDrop, onOver }: DragWatch): () => void {
  const controller = new AbortController()
  const { signal } = controller
  // Entering a child leaves its parent: only the balance says whether the page was left.
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

/** Reads a drop. A folder looks like a file without bytes, so the entry has to be asked. */
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

/** Whether a drag carries files. Text and links are left to the page's own fields. */
function carriesFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes('Files') ?? false
}
