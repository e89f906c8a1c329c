import type { Claim } from '../../storage/port.ts'
import type { RoleOptions } from './role.ts'

/** Shows that there is no space, here and at the followers, and that only this device has what is written, and why. */
export function createProblemNotice(
  { standing, say, ports }: Pick<RoleOptions, 'standing' | 'say' | 'ports'>,
  { epoch, watchOffline }: Claim,
) {
  let isFull = false
  // A notice of an owner before counts less than each of this one, also if none of them could store anything. Under one
  // claim an agent may own the session twice: an event is stored at the latest with every second change.
  let change = epoch * 1e8 + 2 * ports.state().nextSeq
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
    /** Says it to followers that have not heard it from this owner. */
    repeat: (): void => say({ say: 'space', isFull, change }),
    stop: (): void => stop?.(),
  }
}
