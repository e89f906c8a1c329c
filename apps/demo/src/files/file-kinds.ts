/** Whether a file of this name is an image that browsers can read. */
export function isImageName(name: string): boolean {
  return /\.(?:png|jpe?g|webp|gif|avif|bmp)$/i.test(name)
}

/** Whether a file of this name is a document that some models read. */
export function isPdfName(name: string): boolean {
  return /\.pdf$/i.test(name)
}

/** Whether a file of this name is a text for people. */
export function isDocumentName(name: string): boolean {
  return /\.(?:md|markdown|txt|text)$/i.test(name)
}

/** Whether a file of this name may be a table. */
export function isTableName(name: string): boolean {
  return !isImageName(name) && !isDocumentName(name) && !isPdfName(name)
}

export function questionsAboutImage(name: string): readonly string[] {
  return [`resize ${name} to 800`, `make ${name} grayscale`, `convert ${name} to webp`]
}
