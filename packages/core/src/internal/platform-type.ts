/**
 * The instances of a global class; `never` if the platform's types do not have it. Declarations that name it in this
 * way compile in projects without the types of the DOM, too.
 */
export type PlatformType<Name extends string, Scope = typeof globalThis> = Scope extends {
  readonly [key in Name]: { readonly prototype: infer Instance }
}
  ? Instance
  : never

/** A namespace of global classes; `never` as above. */
export type PlatformScope<Name extends string> = typeof globalThis extends {
  readonly [key in Name]: infer Scope
}
  ? Scope
  : never
