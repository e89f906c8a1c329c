import type { Environment } from '../internal/environment.ts'
import type { Tool } from '../tools/definition.ts'

interface TimedCall {
  readonly tool: Pick<Tool, 'timeoutMs'>
  readonly environment: Pick<Environment, 'clock'>
}

/** The tool's timeout, restarted for each phase of a call. */
interface CallTimeout {
  readonly restart: () => void
  readonly clear: () => void
}

export function createCallTimeout(
  { tool, environment }: TimedCall,
  onTime: () => void,
): CallTimeout {
  let clear = (): void => {}
  return {
    restart: () => {
      clear()
      if (tool.timeoutMs !== null) clear = environment.clock.setTimer(tool.timeoutMs, onTime)
    },
    clear: () => clear(),
  }
}
