/** Each throws what is wrong, or returns a remark. */
export type Trials = Readonly<Record<string, () => Promise<string>>>

/** Runs them one after the other, and reports each to the script that serves the page. */
export async function runTrials(trials: Trials): Promise<void> {
  addEventListener('error', ({ message }) => void post('/end', message))
  addEventListener('unhandledrejection', ({ reason }) => void post('/end', String(reason)))
  for (const [name, run] of Object.entries(trials)) {
    const late = new Promise<never>((_, reject) =>
      setTimeout(reject, 60_000, 'nothing within 60 s'),
    )
    const outcome = await Promise.race([run(), late]).then(
      (remark) => [name, '', remark],
      (problem: unknown) => [name, String(problem), ''],
    )
    await post('/outcome', outcome)
  }
  await post('/end', null)
}

export function require(isSo: boolean | undefined, shown: unknown): void {
  if (isSo !== true) throw new Error(JSON.stringify(shown)?.slice(0, 2000) ?? 'undefined')
}

function post(path: string, data: unknown): Promise<Response> {
  return fetch(path, { method: 'POST', body: JSON.stringify(data) })
}
