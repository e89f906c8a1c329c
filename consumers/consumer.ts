/** One way to build and serve the app. */
export interface Consumer {
  readonly name: string
  readonly mode: 'dev' | 'build' | 'none'
  /** The strictest policy it works under. */
  readonly csp: string
  readonly template: string
  readonly packages: readonly string[]
  readonly serve: (folder: string, consumer: Consumer) => Promise<Served>
}

export interface Served {
  readonly url: string
  readonly stop: () => Promise<unknown>
}
