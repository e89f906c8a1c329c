const names = ['zone1970.tab', 'iso3166.tab']

/** The tables that ship with the page: time zones and countries of the public tz database. */
export async function fetchSample(): Promise<readonly File[]> {
  return Promise.all(names.map(fetchFile))
}

async function fetchFile(name: string): Promise<File> {
  const response = await fetch(`${import.meta.env.BASE_URL}sample/${name}`)
  if (!response.ok) throw new Error(`The sample ${name} could not be loaded (${response.status}).`)
  return new File([await response.blob()], name, { type: 'text/tab-separated-values' })
}
