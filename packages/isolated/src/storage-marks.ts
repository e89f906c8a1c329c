/**
 * Leaves a mark in each storage that the page has, for a self-test to look for. Returns what removes them. A storage that
 * the page cannot use holds nothing that could be found.
 */
export async function leaveMarks(mark: string): Promise<() => Promise<void>> {
  // The cookie is set as a field of the document, because not every browser has the Cookie Store.
  const cookie = (age: number) =>
    Reflect.set(document, 'cookie', `${mark}=1; Max-Age=${age}; Path=/; SameSite=Strict`)
  const root = () => navigator.storage.getDirectory()
  await settleAll([
    () => cookie(60),
    () => localStorage.setItem(mark, '1'),
    () => openDatabase(mark),
    () => caches.open(mark),
    async () => (await root()).getFileHandle(mark, { create: true }),
  ])
  return () =>
    settleAll([
      () => cookie(0),
      () => localStorage.removeItem(mark),
      () => indexedDB.deleteDatabase(mark),
      () => caches.delete(mark),
      async () => (await root()).removeEntry(mark),
    ])
}

async function settleAll(steps: readonly (() => unknown)[]): Promise<void> {
  // Each step runs in an async function, because some throw before they return a promise.
  await Promise.allSettled(steps.map(async (step) => step()))
}

function openDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name)
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      request.result.close()
      resolve()
    }
  })
}
