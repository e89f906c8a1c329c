import { implement, serveTools } from '@offthread/core/worker'
import {
  devApprove,
  devCrash,
  devFlaky,
  devFlood,
  devHuge,
  devSleep,
  devSpin,
} from './dev-definitions.ts'
import { approve, crash, flaky, flood, huge, sleep, spin } from './dev-tools.ts'

serveTools([
  implement(devSleep, sleep),
  implement(devSpin, spin),
  implement(devCrash, crash),
  implement(devFlaky, flaky),
  implement(devFlood, flood),
  implement(devHuge, huge),
  implement(devApprove, approve),
])
