import type { Tool } from '@offthread/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { keepEvents } from '../event-record.ts'
import type { RunPanelProps } from '../run-panel/run-panel.tsx'
import type { DevtoolsRoot } from './devtools-root.tsx'

/** Whose runs the devtools show, and what they may do with the page. */
export interface OffthreadDevtoolsProps<T extends Tool = Tool> extends RunPanelProps<T> {}

/**
 * A small button in the corner of the page that opens the run panel of an agent: timeline, events, usage, replay. It lives
 * in a shadow root at the end of the body, so that its styles and those of the page do not touch each other, and loads
 * itself after the page. In a build for production it is nothing. Needs `react-dom`.
 *
 * @example
 * ```tsx
 * return (
 *   <>
 *     <Chat agent={agent} />
 *     <OffthreadDevtools agent={agent} />
 *   </>
 * )
 * ```
 */
export function OffthreadDevtools<T extends Tool = Tool>(
  props: OffthreadDevtoolsProps<T>,
): ReactNode
export function OffthreadDevtools(props: OffthreadDevtoolsProps): ReactNode {
  const { agent } = props
  const latest = useRef(props)
  const root = useRef<DevtoolsRoot>(null)
  // Keeps ephemeral events from the start, so that the panel has them when it is opened.
  useEffect(() => keepEvents(agent), [agent])
  useEffect(() => {
    latest.current = props
    root.current?.render(props)
  })
  useEffect(() => {
    let isMounted = true
    const mount = async (): Promise<void> => {
      const { createDevtoolsRoot } = await loadRoot()
      if (!isMounted) return
      root.current = createDevtoolsRoot()
      root.current.render(latest.current)
    }
    mount().catch((error: unknown) => console.error(error))
    return () => {
      isMounted = false
      root.current?.unmount()
      root.current = null
    }
  }, [])
  return null
}

function loadRoot() {
  return import('./devtools-root.tsx')
}
