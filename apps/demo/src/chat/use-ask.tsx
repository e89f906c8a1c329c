import { useState } from 'react'
import { withDigests } from '../files/digest.ts'
import { type HowToSend, useSession } from '../session.ts'
import { textOfError } from '../text/error-text.ts'
import { starterOf } from './starters.ts'

const sampleName = 'time_zones.csv'

/** Sends a question. One of the starters brings its table along, and `problem` shows why it could not be fetched. */
export function useAsk() {
  const { send, hasFile } = useSession()
  const [problem, setProblem] = useState('')
  /** Says whether it was sent. */
  const ask = async (text: string, how: HowToSend = {}): Promise<boolean> => {
    try {
      const files = [...(await withDigests(how.files ?? []))]
      if (starterOf(text)?.table === 'sent' && !hasFile(sampleName)) {
        files.push({ name: sampleName, file: await fetchSample() })
      }
      setProblem('')
      return send(text, { ...how, files })
    } catch (error) {
      setProblem(textOfError(error))
      return false
    }
  }
  const shown = problem && (
    <p className="row run-error" role="alert">
      {problem}
    </p>
  )
  return { ask, problem: shown }
}

/** The table that ships with the page: the time zones of each country, from the public tz database. */
async function fetchSample(): Promise<File> {
  const response = await fetch(`${import.meta.env.BASE_URL}sample/${sampleName}`)
  if (!response.ok)
    throw new Error(`The sample ${sampleName} could not be loaded (${response.status}).`)
  return new File([await response.blob()], sampleName, { type: 'text/csv' })
}
