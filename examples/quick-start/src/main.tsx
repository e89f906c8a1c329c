// main.tsx
import { createRoot } from 'react-dom/client'
import { Page } from './page.tsx'

const root = document.querySelector('#root')
if (root) createRoot(root).render(<Page />)
