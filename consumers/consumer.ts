/** One way to build and serve the app. */
export interface Consumer {
  readonly name: string
  readonly mode: 'dev' | 'build' | 'none'
  /** The strictest policy it works under. */
  readonly csp: string
  readonly template: string
  readonly packages: readonly string[]
  /** Versions that differ from those of the other consumers. */
  readonly versions?: { readonly [name: string]: string }
  /** `null` when there is no page to open, because what was started has checked everything. */
  readonly serve: (folder: string, consumer: Consumer) => Promise<Served | null>
}

export interface Served {
  readonly url: string
  readonly stop: () => Promise<unknown>
}
