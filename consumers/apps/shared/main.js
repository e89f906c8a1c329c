import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { View } from './view.js'

createRoot(document.body.appendChild(document.createElement('main'))).render(createElement(View))
