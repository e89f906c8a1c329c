import { useState } from 'react'
import type { PendingFile } from '../files/attachments.ts'
import { useSession } from '../session.ts'
import { textOfError } from '../text/error-text.ts'
import { starters } from './starters.ts'

const sampleName = 'time_zones.csv'

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

/** The table that ships with the page: the time zones of each country, from the public tz database. */
async function fetchSample(): Promise<File> {
  const response = await fetch(`${import.meta.env.BASE_URL}sample/${sampleName}`)
  if (!response.ok)
    throw new Error(`The sample ${sampleName} could not be loaded (${response.status}).`)
  return new File([await response.blob()], sampleName, { type: 'text/csv' })
}
