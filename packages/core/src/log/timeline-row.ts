import type { ToolPlace } from '../tools/definition.ts'

/** What happened when: the runs of a log, their answers and their calls. */
export interface Timeline {
  /** The rows, in the order in which they began. */
  readonly rows: readonly TimelineRow[]
  /** Epoch milliseconds of the first and of the last event; 0 without events. */
  readonly startedAt: number
  /** Epoch milliseconds of the last event. */
  readonly endedAt: number
}

/** A run, an answer of the model or a call, with what it spent its time on. */
export interface TimelineRow {
  /** What the row stands for. */
  readonly kind: 'run' | 'answer' | 'call'
  /**
   * The id of the run, of the message or of the call. A call that was retried in a later run has a row in each: they share
   * the id.
   */
  readonly id: string
  /** The row it belongs to: an answer to its run, a call to its answer, a run inside a call to that call. */
  readonly parentId: string | null
  /** Where the code of a call runs, once it is known. */
  readonly place?: ToolPlace
  /** The name of the row, for people: what started the run, the model that answers, or the tool's label. */
  readonly label: string
  /** The phases, in order; each begins where the one before has ended, or later. */
  readonly phases: readonly Phase[]
  /** Single moments within the row, such as a warning, in order. If there are very many, only the first ones. */
  readonly marks: readonly Mark[]
  /**
   * How the run, answer or call ended, in the log's words: a reason, a stop reason or an outcome. `null` while it has
   * not.
   */
  readonly end: string | null
}

/**
 * One thing that a row spent time on.
 *
 * A run is `running`. An answer is `asking` until its first piece comes, then `streaming`. The model writes the `input` of
 * a call; then the call is `waiting` for the end of the answer, its check and a free slot, for `approval`, or for an
 * `answer` of the page; it is `starting` until its code runs, `running`, `cancelling`, or `pausing` before another attempt.
 */
export interface Phase {
  /** What the row spent the time on. */
  readonly kind: PhaseKind
  /** The number of the call's attempt, from 1. */
  readonly attempt: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Epoch milliseconds; `null` while it goes on. */
  readonly endedAt: number | null
}

/** What time is spent on. */
export type PhaseKind =
  | 'asking'
  | 'streaming'
  | 'input'
  | 'waiting'
  | 'approval'
  | 'answer'
  | 'starting'
  | 'running'
  | 'cancelling'
  | 'pausing'

/**
 * A moment of a row.
 *
 * Of a run `steering` and `follow_up` are messages that came into it, a `stop` was asked for, a `retry` is another attempt
 * of a request, with `summary` a part of the conversation was shortened, a `repair` follows an output that did not fit, and
 * `warning` is anything else that is odd. Of a call `approval` is what a person decided, and `error` a line that it logged.
 */
export interface Mark {
  /** What happened. */
  readonly kind: MarkKind
  /** Epoch milliseconds. */
  readonly at: number
  /** The words for people: the text of a message, who asked for a stop, what is odd. */
  readonly label: string
}

/** What can happen to a row. */
export type MarkKind =
  | 'steering'
  | 'follow_up'
  | 'stop'
  | 'retry'
  | 'summary'
  | 'repair'
  | 'warning'
  | 'approval'
  | 'error'
