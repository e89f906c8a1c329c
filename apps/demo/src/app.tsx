import type { ReactNode } from 'react'

export function App(): ReactNode {
  return (
    <main>
      <h1>Offthread</h1>
    </main>
  )
}
