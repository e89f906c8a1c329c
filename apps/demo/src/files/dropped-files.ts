/** What was dropped or picked: the files, and how many things were none. */
export interface Dropped {
  readonly files: readonly File[]
  readonly folders: number
}

/** Reads a drop. A folder looks like a file without bytes, so the entry has to be asked. */
export function droppedFiles(transfer: DataTransfer): Dropped {
  const files: File[] = []
  let folders = 0
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue
    if (item.webkitGetAsEntry()?.isDirectory) {
      folders += 1
      continue
    }
    const file = item.getAsFile()
    if (file) files.push(file)
  }
  return { files, folders }
}

/** Whether a drag carries files. Text and links are left to the page's own fields. */
export function carriesFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes('Files') ?? false
}
