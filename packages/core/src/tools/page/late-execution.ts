import { messageOf } from '../../internal/message-of.ts'
import type { Execution } from '../host.ts'

/**
 * An execution that is still being opened: its code is loaded first, or its place is tested. Commands that come meanwhile
 * are done afterwards. A promise that rejects is the reason why it could not be started.
 */
export function lateExecution(loaded: Promise<Execution>): Execution {
  let execution: Execution | undefined
  let isOver = false
  const opened = loaded.then((one) => {
    execution = one
    if (isOver) one.close()
    return one
  })
  const end = (how: 'stop' | 'close') => () => {
    isOver = true
    execution?.[how]()
  }
  const late: Execution = {
    get ready() {
      const ready = opened.then((one) => one.ready)
      // The rejection is handled here, because the execution may be closed before anything waits for it.
      ready.catch(() => {})
      return ready
    },
    run: (request, listener) =>
      opened
        .then((one) => one.run(request, listener))
        .catch((error: unknown) => ({ kind: 'crashed', message: messageOf(error) })),
    stop: end('stop'),
    close: end('close'),
  }
  void late.ready
  return late
}
