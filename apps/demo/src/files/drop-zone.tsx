import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import type { Dropped } from './dropped-files.ts'
import { carriesFiles, droppedFiles } from './dropped-files.ts'

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
