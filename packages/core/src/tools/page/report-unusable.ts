/**
 * Tells the console why no call can run in the workers of these tools: each reason once, since every call would
 * repeat it. The call's card and the model are told as well, but whoever mends it looks here.
 */
export function reportUnusable(toolNames: readonly string[]): (reason: string) => void {
  const told = new Set<string>()
  return (reason) => {
    if (told.has(reason)) return
    told.add(reason)
    console.error(`Offthread cannot use the worker of ${toolNames.join(', ')}. ${reason}`)
  }
}
