export type {
  AppendedMessage,
  ThreadItem,
  ThreadPart,
  ThreadStore,
} from './assistant-ui/thread-types.ts'
export { useThreadStore } from './assistant-ui/use-thread-store.ts'
