import { implement, serveTools } from '@offthread/core/worker'
import { hashFile, loadTable, monteCarlo, sqlQuery } from './definitions.ts'

// Each tool's code is a module of its own, so a call loads only what it runs.
serveTools([
  implement(loadTable, () => import('./load-table.lazy.ts')),
  implement(sqlQuery, () => import('./sql-query.lazy.ts')),
  implement(monteCarlo, () => import('./monte-carlo.lazy.ts')),
  implement(hashFile, () => import('./hash-file.lazy.ts')),
])
