/** An engine with one page, driven from outside as a person drives it. */
export interface Driver {
  /** Name and version, as the engine says them. */
  readonly engine: string
  /** Resolves when the page has loaded. */
  readonly open: (url: string) => Promise<void>
  readonly reload: () => Promise<void>
  /** The value of an expression in the page, as JSON makes it. */
  readonly evaluate: (expression: string) => Promise<unknown>
  readonly click: (place: Place) => Promise<void>
  /** Presses these keys one after the other. A new line is Shift and Enter. */
  readonly type: (text: string) => Promise<void>
  readonly press: (key: 'Enter') => Promise<void>
  readonly close: () => Promise<void>
}

/** In CSS pixels from the corner of the page that is seen. */
export interface Place {
  readonly x: number
  readonly y: number
}

export interface Engine {
  readonly name: string
  /** Names of packages of Debian. */
  readonly packages: string
  readonly isThere: boolean
  /** Starts it with an empty profile in this folder. */
  readonly drive: (folder: string) => Promise<Driver>
}

/** What both protocols of WebDriver answer to a new session. */
export interface Session {
  readonly sessionId: string
  readonly capabilities: { readonly browserVersion: string }
}
