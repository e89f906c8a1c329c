import { simulate } from './simulate.ts'

const runs = Number(process.argv[2] ?? 1000)
const seed = Number(process.argv[3] ?? 1)
const result = await simulate({ runs, seed })
console.log(
  result.runs,
  'runs',
  Math.round((result.runs / result.ms) * 1000),
  'per s',
  result.events / result.runs,
  'events',
  result.steps / result.runs,
  'steps',
)
if (result.failure) console.dir(result.failure, { depth: 9 })
