import { createStore } from 'zustand/vanilla'

/** A dialog of the page. The menu of models opens by itself. */
export type PageDialog = 'chats' | 'commands' | 'keys'

/** Which dialog is open. */
export function createPageDialogs() {
  const { setState, ...store } = createStore<{ readonly open: PageDialog | null }>(() => ({
    open: null,
  }))
  return {
    ...store,
    open: (dialog: PageDialog) => setState({ open: dialog }),
    /** Closes this dialog, and no other: the browser reports late that one has closed, when the next may be open. */
    close: (dialog: PageDialog) => setState(({ open }) => (open === dialog ? { open: null } : {})),
  }
}
