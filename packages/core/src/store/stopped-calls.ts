import type { ToolCallView } from './tool-call-view.ts'

const views = new WeakMap<ToolCallView, ToolCallView>()

/** A call whose agent runs nothing any more. One that waits for a person still does, wherever the session is opened next. */
export function stopped(view: ToolCallView | undefined): ToolCallView | undefined {
  if (!view || view.hasEnded || view.approval || view.place === 'client') return view
  const known = views.get(view) ?? { ...view, status: 'interrupted', hasEnded: true }
  views.set(view, known)
  return known
}
