import { fileURLToPath } from 'node:url'
import { isObject } from '../wire/is-object.ts'
import { startToolThread } from './tool-thread.ts'

/** Milliseconds a script has to load. */
const loadMs = 30_000

/** The names of the tools that a script serves. Rejects with an `Error` that says why it serves none. */
export async function checkScript(script: URL): Promise<readonly string[]> {
  const path = fileURLToPath(script)
  const thread = startToolThread(script)
  try {
    return await new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${path} serves no tools. ${why}`))
      const late = 'It does not call serveTools([…]) at its top level.'
      setTimeout(fail, loadMs, late).unref()
      thread.onEnd((why) => fail(why.endsWith('code 0.') ? late : why))
      thread.onMessage((message) => {
        const names = isObject(message) ? message['toolNames'] : undefined
        if (Array.isArray(names)) resolve(names.map(String))
      })
    })
  } finally {
    await thread.terminate()
  }
}
