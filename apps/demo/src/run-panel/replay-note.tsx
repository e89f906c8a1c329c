import type { Replayed } from '@offthread/react/run-panel'
import type { ReactNode } from 'react'
import type { DemoTool } from '../tools/host-tools.ts'

/** In place of the composer: what is shown is past, and here is the way back. */
export function ReplayNote({ replayed }: { readonly replayed: Replayed<DemoTool> }): ReactNode {
  return (
    <div className="dock">
      <div className="replay-note" role="status">
        <p>
          <strong>Replay.</strong> Nothing is running, and nothing can be sent.
        </p>
        <button type="button" className="small-button" onClick={replayed.exit}>
          Back to live
        </button>
      </div>
    </div>
  )
}
