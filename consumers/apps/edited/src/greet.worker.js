import { implement, serveTools } from '@offthread/core/worker'
import { greeting } from './greeting.js'
import { greet } from './tools.js'

serveTools([implement(greet, () => greeting)])
