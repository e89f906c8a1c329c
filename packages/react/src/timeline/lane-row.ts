import type { Phase, TimelineRow } from '@offthread/core/log'

/** What a lane stands for: a slot (the permission for one call to run), or a tool. */
export type LaneKind = 'slot' | 'tool'

/** A phase of one of the calls that share a lane. */
export interface LanePhase extends Phase {
  /** The label of the call. */
  readonly label: string
}

/** Calls that ran one after the other, in one row. */
export interface LaneRow extends Pick<TimelineRow, 'id' | 'parentId' | 'label'> {
  /** A kind that no row of the log has. */
  readonly kind: 'lane'
  /** In order; nothing overlaps. */
  readonly phases: readonly LanePhase[]
  /** Always empty: marks are in the rows of the calls. */
  readonly marks: readonly []
  /** A lane does not end. */
  readonly end: null
  /** How many calls it has. */
  readonly calls: number
}
