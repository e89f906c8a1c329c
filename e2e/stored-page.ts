import type { SessionStorage } from '@offthread/core'
import { test as base, expect } from './chat.ts'
import { startJobsModel } from './jobs-model.ts'
import type { ModelServer } from './model-server.ts'
import { faultsOrigin } from './origins.ts'
import { startWitness, type Witness } from './witness.ts'

declare global {
  interface Window {
    /** Where the page keeps its session. */
    readonly storage: SessionStorage
  }
}

export interface StoredPageOptions {
  /** Takes all cases, which needs minutes, instead of one of each kind. */
  readonly isThorough: boolean
}

interface Fixtures extends StoredPageOptions {
  readonly witness: Witness
  readonly model: ModelServer
  /** The address of a session of this name, on a page with the model and the witness. */
  readonly addressOf: (sessionId: string) => string
}

/** The demo page with a model over HTTP, and a storage and a tool whose doings are known outside of the page. */
export const test = base.extend<Fixtures>({
  isThorough: [false, { option: true }],
  witness: async ({ browserName: _ }, use) => {
    const witness = await startWitness()
    await use(witness)
    await witness.close()
  },
  model: async ({ witness }, use) => {
    const model = await startJobsModel(witness.address)
    await use(model)
    await model.close()
  },
  addressOf: async ({ witness, model }, use) => {
    const search = new URLSearchParams({ model: model.address, witness: witness.address })
    await use((sessionId) => `${faultsOrigin}/stored.html?${search}#${sessionId}`)
  },
})

export { expect }
