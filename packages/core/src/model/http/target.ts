/** What an error may say about where a request went. */
export interface Target {
  readonly host: string
  readonly model: string
  /** Takes key material out of a text that came from the server. */
  readonly redact: (text: string) => string
}
