import type { DevelopedModule } from './only-in-workers.ts'

const atTop =
  /^(?:export\s+(?:default\s+)?)?(?:(?:const|let|var)\s[^=\n]*=\s*)?(?:await\s+)?createAgent\(/m

/** Whether a module makes an agent when it is loaded, and so another one when it is loaded again. */
export function makesAgent(code: string): boolean {
  return /['"]@offthread\/core['"]/.test(code) && atTop.test(code)
}

/**
 * Whether Vite would load one of the makers again for a change of these modules. It does so with all importers up to the
 * next one that takes a change, such as a file of React components.
 */
export function reachesMaker(
  changed: readonly DevelopedModule[],
  makers: ReadonlySet<string>,
): boolean {
  const again = new Set(changed)
  // The loop also visits the modules that it adds to the set.
  for (const module of again) {
    if (makers.has(module.id ?? '')) return true
    if (!module.isSelfAccepting) for (const importer of module.importers) again.add(importer)
  }
  return false
}
