import { useEffect, useState } from 'react'

/** Whether the browser's own model has to be downloaded first; `null` where there is none. */
export function useBuiltIn(): boolean | null {
  const [needsDownload, setNeedsDownload] = useState<boolean | null>(null)
  useEffect(() => {
    if (!('LanguageModel' in globalThis)) return
    let isOver = false
    askForBuiltIn().then(
      (answer) => {
        if (!isOver) setNeedsDownload(answer)
      },
      // It is not offered then.
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [])
  return needsDownload
}

async function askForBuiltIn(): Promise<boolean | null> {
  const { chromeAvailability } = await import('@offthread/chrome')
  const availability = await chromeAvailability()
  return availability === 'unavailable' ? null : availability !== 'available'
}
