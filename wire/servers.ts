import { LLMock } from '@copilotkit/aimock'
import type { TestProject } from 'vitest/node'
import { startEverythingServer } from './everything-server.ts'
import { startFaultServer } from './fault-server.ts'
import { script } from './page/aimock-script.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the fault server. */
    readonly faults: string
    /** Another origin, which must never get a request. */
    readonly elsewhere: string
    /** An address without a server. */
    readonly closed: string
    /** A server of both protocols by another author. */
    readonly aimock: string
    /** The reference server of MCP. */
    readonly everything: string
  }
}

/** Starts the servers that the pages under test talk to, each on an origin of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const closed = await startFaultServer()
  await closed.close()
  const elsewhere = await startFaultServer()
  const faults = await startFaultServer({ elsewhere: elsewhere.origin })
  const aimock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent', chunkSize: 5 })
  script(aimock)
  await aimock.start()
  project.provide('faults', faults.origin)
  project.provide('elsewhere', elsewhere.origin)
  project.provide('closed', closed.origin)
  const everything = await startEverythingServer()
  project.provide('aimock', aimock.url)
  project.provide('everything', everything.url)
  return async () => {
    await Promise.all([faults.close(), elsewhere.close(), aimock.stop(), everything.close()])
  }
}
