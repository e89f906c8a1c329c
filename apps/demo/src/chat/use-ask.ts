import { useState } from 'react'
import type { PendingFile } from '../files/attachments.ts'
import { fetchSample, sampleName } from '../files/sample.ts'
import { useSession } from '../session.ts'
import { textOfError } from '../text/error-text.ts'
import { starters } from './starters.ts'

interface Ask {
  /** Sends a question. One of the starters brings its table along. Says whether it was sent. */
  readonly ask: (text: string, files?: readonly PendingFile[]) => Promise<boolean>
  /** Why the table could not be fetched. */
  readonly problem: string | null
}

export function useAsk(): Ask {
  const { send, hasFile } = useSession()
  const [problem, setProblem] = useState<string | null>(null)
  const ask: Ask['ask'] = async (text, files = []) => {
    const needsSample = starters.some(({ prompt }) => prompt === text.trim())
    if (!needsSample || hasFile(sampleName)) return send(text, files)
    try {
      const sample = { name: sampleName, file: await fetchSample() }
      setProblem(null)
      return send(text, [...files, sample])
    } catch (error) {
      setProblem(textOfError(error))
      return false
    }
  }
  return { ask, problem }
}
