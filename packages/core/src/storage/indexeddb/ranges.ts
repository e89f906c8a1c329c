/** The keys of a session's events. Keys are ordered: numbers come before lists. */
export function eventsOf(sessionId: string, from = 0, to?: number): IDBKeyRange {
  return to === undefined
    ? IDBKeyRange.bound([sessionId, from], [sessionId, Number.MAX_SAFE_INTEGER])
    : IDBKeyRange.bound([sessionId, from], [sessionId, to], false, true)
}

/** The keys of everything that is kept beside a session. */
export function allOf(sessionId: string): IDBKeyRange {
  return IDBKeyRange.bound([sessionId], [sessionId, []])
}

/** The keys behind all those of a session. */
export function behind(sessionId: string): IDBKeyRange {
  return IDBKeyRange.lowerBound([sessionId, [[]]])
}
