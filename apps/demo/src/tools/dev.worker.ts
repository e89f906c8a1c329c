import { implement, serveTools } from '@offthread/core/worker'
import { devApprove, devCrash, devFlood, devHuge, devSleep, devSpin } from './dev-definitions.ts'
import { approve, crash, flood, huge, sleep, spin } from './dev-tools.ts'

serveTools([
  implement(devSleep, sleep),
  implement(devSpin, spin),
  implement(devCrash, crash),
  implement(devFlood, flood),
  implement(devHuge, huge),
  implement(devApprove, approve),
])
