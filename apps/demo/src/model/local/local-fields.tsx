import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { useSession } from '../../session.ts'
import { localModel } from './local-model.ts'

/** What a user should know before the download, and why it failed. */
export function LocalFields(): ReactNode {
  const state = useStore(useSession().models.local)
  return (
    <div className="model-fields">
      {state.status !== 'ready' && (
        <p className="soft model-privacy">
          Nothing is loaded before you agree. Then {localModel.download} of weights come from
          huggingface.co, and a program for the graphics card from raw.githubusercontent.com. Both
          see your address; neither sees your questions or your files, which stay on this device.
          The model needs {localModel.memory} of graphics memory. What was downloaded stays in this
          browser, but a reload of the page ends the model: choose it again then.
        </p>
      )}
      {state.status === 'failed' && (
        <p className="soft field-problem" role="alert">
          {state.problem}
        </p>
      )}
    </div>
  )
}

/** How far the download is. */
export function LocalProgress(): ReactNode {
  const state = useStore(useSession().models.local)
  if (state.status !== 'loading') return null
  return (
    <label className="small model-loading">
      <span>Loading {localModel.name}</span>
      <progress max={1} value={state.loaded} />
      <span>{Math.floor(state.loaded * 100)} %</span>
    </label>
  )
}
