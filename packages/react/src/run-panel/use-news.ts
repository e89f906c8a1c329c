import { useState } from 'react'

/** Calls back for each new value, before the component renders. */
export function useNews<Value>(value: Value | undefined, take: (value: Value) => void): void {
  const [taken, setTaken] = useState<Value>()
  if (value === taken) return
  setTaken(value)
  if (value !== undefined) take(value)
}
