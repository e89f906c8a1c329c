import { implement, serveTools } from '@offthread/core/worker'
import { hashFile, loadTable, monteCarlo, sqlQuery } from './definitions.ts'

// The code of each tool is a module of its own: a call loads only what it runs.
serveTools([
  implement(loadTable, () => import('./load-table.lazy.ts')),
  implement(sqlQuery, () => import('./sql-query.lazy.ts')),
  implement(monteCarlo, () => import('./monte-carlo.lazy.ts')),
  implement(hashFile, () => import('./hash-file.lazy.ts')),
])
