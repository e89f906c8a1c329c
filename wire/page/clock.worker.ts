import { implement, serveTools } from '../../packages/core/src/worker.ts'
import { clock } from './conversation.ts'

serveTools([implement(clock, ({ city }) => `12:00 in ${city}`)])
