import type { Tool } from '@offthread/core'
import type { ReactNode } from 'react'
import type { OffthreadDevtoolsProps } from './devtools/offthread-devtools.ts'

/** Shows nothing: a build for production has no devtools. */
export function OffthreadDevtools<T extends Tool = Tool>(
  _props: OffthreadDevtoolsProps<T>,
): ReactNode {
  return null
}
