import './main.js'

// As a file of React components does.
import.meta.hot.accept()
