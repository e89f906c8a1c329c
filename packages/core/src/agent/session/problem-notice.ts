import type { Claim } from '../../storage/port.ts'
import type { RoleOptions } from './role.ts'

/** Shows that there is no space, here and at the followers, and that only this device has what is written, and why. */
export function createProblemNotice(
  { standing, say, ports }: Pick<RoleOptions, 'standing' | 'say' | 'ports'>,
  { watchOffline }: Claim,
) {
  let isFull = false
  // An event is stored at the latest with every second change. So the next owner begins with no lower number, even if
  // its opening is not stored, of which followers would read that it is another one.
  let change = 2 * ports.state().nextSeq
  let isOffline = false
  let isRefused = false
  const show = () => standing.take('owner', isFull ? 'full' : isOffline ? 'offline' : null)
  show()
  const stop = watchOffline?.((now, refusal) => {
    isOffline = now
    show()
    if (refusal) ports.show({ refused: { command: 'catch_up', message: refusal.message } })
    else if (isRefused) ports.show({ refused: null })
    isRefused = refusal !== undefined
  })
  return {
    noteFull: (now: boolean): void => {
      isFull = now
      change += 1
      show()
      say({ say: 'space', isFull, change })
    },
    /** Repeats the notice for a new follower. */
    repeat: (): void => {
      if (isFull) say({ say: 'space', isFull, change })
    },
    stop: (): void => stop?.(),
  }
}
