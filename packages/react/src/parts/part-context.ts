import { type Context, createContext, useContext } from 'react'

/** The context of a root, and a hook for the parts in it. */
export interface PartContext<Value> {
  readonly Provider: Context<Value | null>['Provider']
  readonly use: () => Value
}

/** What a root has for its parts. `root` is its name in the error of a part that stands outside of it. */
export function createPartContext<Value>(root: string): PartContext<Value> {
  const context = createContext<Value | null>(null)
  const use = (): Value => {
    const value = useContext(context)
    if (value === null) throw new Error(`Render this part inside <${root}>.`)
    return value
  }
  return { Provider: context.Provider, use }
}
