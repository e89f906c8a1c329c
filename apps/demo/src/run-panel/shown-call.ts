import type { PanelTarget } from '@offthread/react/run-panel'
import { createStore } from 'zustand/vanilla'

interface ShownCall {
  /** What the run panel was asked to show last. */
  readonly target: PanelTarget | undefined
  /** The call that is chosen there. */
  readonly chosenId: string | null
}

/** The call that its card and the run panel show together. */
export function createShownCall() {
  const { setState, ...store } = createStore<ShownCall>(() => nothing)
  return {
    ...store,
    /** Asks the run panel to show a call. */
    reveal: (target: PanelTarget) => setState({ target, chosenId: target.toolCallId }),
    /** Marks the card of a call that was chosen in the run panel. */
    choose: (chosenId: string | null) => setState({ chosenId }),
    forget: () => setState(nothing),
  }
}

const nothing: ShownCall = { target: undefined, chosenId: null }
