import { type Context, createContext, useContext } from 'react'

/** The context of a root, for the parts in it. */
export interface RootContext<Value> {
  /** The name of the root, for the error of a part outside of it. */
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
