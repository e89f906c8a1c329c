import { useState } from 'react'

/** Takes a value that was given for the first time, before the component renders. */
export function useNews<Value>(value: Value | undefined, take: (value: Value) => void): void {
  const [taken, setTaken] = useState<Value>()
  if (value === taken) return
  setTaken(value)
  if (value !== undefined) take(value)
}
