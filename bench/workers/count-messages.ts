/** The messages of a worker that have to be acknowledged. */
export interface Counted {
  readonly sent: number
  /** The most messages that were sent and not yet acknowledged. */
  readonly mostUnread: number
}

const needCredit: readonly unknown[] = ['update', 'progress', 'log', 'custom']

/** Counts the messages that this worker posts and gets, at the channel itself. */
export function countMessages(): () => Counted {
  let sent = 0
  let acknowledged = 0
  let mostUnread = 0
  const post: (message: unknown) => void = globalThis.postMessage.bind(globalThis)
  const counting = (message: { readonly type: string }) => {
    if (needCredit.includes(message.type)) {
      sent += 1
      mostUnread = Math.max(mostUnread, sent - acknowledged)
    }
    post(message)
  }
  Object.assign(globalThis, { postMessage: counting })
  addEventListener('message', ({ data }: MessageEvent<{ type: string; messages: number }>) => {
    if (data.type === 'credit') acknowledged += data.messages
  })
  return () => ({ sent, mostUnread })
}
