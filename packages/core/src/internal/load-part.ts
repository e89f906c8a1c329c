/** Loads code that a page needs only now. Rejects with a sentence for people, whatever the platform says of it. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (cause) {
    throw new Error('a part of the app could not be loaded', { cause })
  }
}
