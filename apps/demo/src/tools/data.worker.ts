import { implement, serveTools } from '@offthread/core/worker'
import { compressFile, hashFile, loadTable, monteCarlo, sqlQuery } from './definitions.ts'
import { renderFractal } from './fractal/render-fractal-definition.ts'
import { editImage } from './images/edit-image-definition.ts'
import { runJs } from './run-js/run-js-definition.ts'
import { searchDocs } from './search-docs/search-docs-definition.ts'

// Each tool's code is a module of its own, so a call loads only what it runs.
serveTools([
  implement(loadTable, () => import('./load-table.lazy.ts')),
  implement(sqlQuery, () => import('./sql-query.lazy.ts')),
  implement(monteCarlo, () => import('./monte-carlo.lazy.ts')),
  implement(hashFile, () => import('./hash-file.lazy.ts')),
  implement(compressFile, () => import('./compress-file.lazy.ts')),
  implement(runJs, () => import('./run-js/run-js.lazy.ts')),
  implement(searchDocs, () => import('./search-docs/search-docs.lazy.ts')),
  implement(renderFractal, () => import('./fractal/render-fractal.lazy.ts')),
  implement(editImage, () => import('./images/edit-image.lazy.ts')),
])
