import type { ToolHost } from '@offthread/core'

/** Tools of your own, each with the place it runs in. The README says how to add one. */
export const yourTools: readonly ToolHost[] = []
