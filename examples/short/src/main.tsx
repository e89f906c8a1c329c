// main.tsx: the list of examples. Each one is a file of its own.
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'

const files = import.meta.glob<{ Example: ComponentType }>('./[0-9]*.tsx')

function Page(): ReactNode {
  const load = files[`./${location.hash.slice(1)}.tsx`]
  const Example = load && lazy(async () => ({ default: (await load()).Example }))
  return (
    <>
      <nav>
        {Object.keys(files)
          .map((path) => path.replace(/^\.\/|\.tsx$/g, ''))
          .map((name) => (
            <p key={name}>
              <a href={`#${name}`}>{name}</a>
            </p>
          ))}
      </nav>
      <Suspense>{Example && <Example />}</Suspense>
    </>
  )
}

addEventListener('hashchange', () => location.reload())
const root = document.querySelector('#root')
if (root) createRoot(root).render(<Page />)
