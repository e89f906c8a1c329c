export type { SessionsState, SessionsView } from './use-sessions.ts'
export { useSessions } from './use-sessions.ts'
