/** How a run ended. `stop` is the natural end: an answer without calls. */
export type RunEndReason =
  | 'stop'
  | 'max_turns'
  | 'terminated'
  | 'aborted'
  | 'error'
  | 'budget'
  | 'loop_detected'
  | 'awaiting_tool_results'
  | 'awaiting_approval'
  | 'rejected'
  | 'refusal'
  | 'interrupted'
