import type { Agent } from '@offthread/core'
import { storedChoice } from '../stored-choice.ts'

/**
 * Whether a request that failed is repeated by itself: a choice that this browser keeps. Without it, a run ends with the
 * first failure, and a person tries again.
 */
export function createAutoRetry(
  agent: Pick<Agent, 'abort' | 'configure' | 'getState' | 'isRunning'>,
) {
  const { choose, ...store } = storedChoice('offthread-auto-retry', ['on', 'off'])

  let applied = 'on'

  /** Configures the agent with the last choice, unless a run is active. */
  function apply(): void {
    const { chosen } = store.getState()
    if (chosen === applied || agent.isRunning()) return
    agent.configure({ retry: chosen === 'on' ? {} : null })
    applied = chosen
  }

  apply()
  return {
    ...store,
    apply,
    /** Takes effect with the next run; a run that waits for an attempt ends. */
    choose: (chosen: 'on' | 'off'): void => {
      choose(chosen)
      if (chosen === 'off' && agent.getState().retry) agent.abort('No further attempt is wanted.')
      apply()
    },
  }
}
