/** Counts each kind of fault by the state of the agent. */
export type Injections = Map<string, number>

/** Counts a fault. `status` is what the agent was doing when it happened. */
export function noteInjection(injections: Injections, fault: string, status: string): void {
  const key = `${fault}\t${status}`
  injections.set(key, (injections.get(key) ?? 0) + 1)
}
