import type { Phase, TimelineRow } from '@offthread/core/log'

/** What a lane stands for: a slot (the permission for one call to run), or a tool. */
export type LaneKind = 'slot' | 'tool'

/** A phase of one of the calls that share a lane. */
export interface LanePhase extends Phase {
  /** The label of the call. */
  readonly label: string
}

/** Calls that ran one after the other, in one row. It has the fields of a row of the log, so views draw both alike. */
export interface LaneRow extends Pick<TimelineRow, 'id' | 'parentId' | 'label'> {
  /** A kind that no row of the log has. */
  readonly kind: 'lane'
  /** In order; nothing overlaps. */
  readonly phases: readonly LanePhase[]
  /** None: the marks of the log belong to the rows of single calls. */
  readonly marks: readonly []
  /** `null`, as of a row that has not ended: only calls end. */
  readonly end: null
  /** How many calls it has. */
  readonly calls: number
}
