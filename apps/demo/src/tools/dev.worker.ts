import { implement, serveTools } from '@offthread/core/worker'
import * as dev from './dev-definitions.ts'
import * as code from './dev-tools.ts'

serveTools([
  implement(dev.devSleep, code.sleep),
  implement(dev.devSpin, code.spin),
  implement(dev.devCrash, code.crash),
  implement(dev.devFlaky, code.flaky),
  implement(dev.devFlood, code.flood),
  implement(dev.devHuge, code.huge),
  implement(dev.devApprove, code.approve),
])
