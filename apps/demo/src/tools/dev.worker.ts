import { implement, serveTools } from '@offthread/core/worker'
import { devCrash, devFlood, devHuge, devSleep, devSpin } from './dev-definitions.ts'
import { crash, flood, huge, sleep, spin } from './dev-tools.ts'

serveTools([
  implement(devSleep, sleep),
  implement(devSpin, spin),
  implement(devCrash, crash),
  implement(devFlood, flood),
  implement(devHuge, huge),
])
