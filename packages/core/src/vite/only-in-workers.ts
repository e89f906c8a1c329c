/** The parts of a module in Vite's graph that are read. */
export interface DevelopedModule {
  readonly id?: string | null
  readonly url: string
  /** Whether it takes a change of itself: then its importers are not loaded again. */
  readonly isSelfAccepting?: boolean | undefined
  readonly importers: Iterable<DevelopedModule>
}

/** Whether a worker loads the module. A page may do so, too. */
export function isInWorker(module: DevelopedModule): boolean {
  return rootsOf(module).some(isWorkerScript)
}

/** Whether only workers load the module. */
export function isOnlyInWorkers(module: DevelopedModule): boolean {
  return rootsOf(module).every(isWorkerScript)
}

/** `./x.ts?worker`: a module of the page that starts the script, whatever that says. */
export function isWorkerConstructor({ url }: DevelopedModule): boolean {
  return /[?&]worker(?:&|$)/.test(url)
}

/** `new Worker(new URL('./x.ts', import.meta.url))` and `?worker` load the script under such an address. */
function isWorkerScript({ url }: DevelopedModule): boolean {
  return /[?&]worker_file(?:&|$)/.test(url)
}

/** The entries through which a module is loaded: those of its importers that nothing imports. */
function rootsOf(module: DevelopedModule): readonly DevelopedModule[] {
  const seen = new Set([module])
  const roots: DevelopedModule[] = []
  // The loop also visits the modules that it adds to the set.
  for (const each of seen) {
    const importers = [...each.importers]
    if (importers.length === 0 || isWorkerScript(each)) roots.push(each)
    for (const importer of importers) seen.add(importer)
  }
  return roots
}
