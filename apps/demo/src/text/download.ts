import { visibleText } from '@offthread/react'

/** Has the browser save a file. */
export function download(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = visibleText(name)
  link.click()
  // The browser starts to read the Blob when it handles the click; ten seconds are ample.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
