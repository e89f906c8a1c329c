import { type Context, createContext, useContext } from 'react'

/** What a root has for the parts in it. */
export interface RootContext<Value> {
  /** Of the root, for the error of a part that stands outside of it. */
  readonly name: string
  readonly context: Context<Value | null>
}

/** Makes the context of a root. */
export function createRootContext<Value>(name: string): RootContext<Value> {
  return { name, context: createContext<Value | null>(null) }
}

/** The values that the root around a part provides. Throws if there is no root. */
export function useRoot<Value>({ name, context }: RootContext<Value>): Value {
  const value = useContext(context)
  if (value === null) throw new Error(`Render this part inside <${name}>.`)
  return value
}
