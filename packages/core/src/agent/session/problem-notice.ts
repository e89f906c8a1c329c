import type { Claim } from '../../storage/port.ts'
import type { RoleOptions } from './role.ts'

/** Shows that there is no space, here and at the followers, and that only this device has what is written. */
export function createProblemNotice(
  { standing, say }: Pick<RoleOptions, 'standing' | 'say'>,
  { watchOffline }: Claim,
) {
  let isFull = false
  let isOffline = false
  const show = () => standing.take('owner', isFull ? 'full' : isOffline ? 'offline' : null)
  show()
  const stop = watchOffline?.((now) => {
    isOffline = now
    show()
  })
  return {
    noteFull: (now: boolean): void => {
      isFull = now
      show()
      say({ say: 'space', isFull })
    },
    /** Repeats the notice for a new follower. */
    repeat: (): void => {
      if (isFull) say({ say: 'space', isFull })
    },
    stop: (): void => stop?.(),
  }
}
