import type { ToolCallView } from './tool-call-view.ts'

const views = new WeakMap<ToolCallView, ToolCallView>()

/**
 * The view of a call whose agent runs nothing any more. A call that waits for a person keeps waiting, for the next
 * opening of the session.
 */
export function stopped(view: ToolCallView | undefined): ToolCallView | undefined {
  if (!view || view.hasEnded || view.approval || view.place === 'client') return view
  const known = views.get(view) ?? { ...view, status: 'interrupted', hasEnded: true }
  views.set(view, known)
  return known
}
