export const sampleName = 'time_zones.csv'

/** The table that ships with the page: the time zones of each country, from the public tz database. */
export async function fetchSample(): Promise<File> {
  const response = await fetch(`${import.meta.env.BASE_URL}sample/${sampleName}`)
  if (!response.ok)
    throw new Error(`The sample ${sampleName} could not be loaded (${response.status}).`)
  return new File([await response.blob()], sampleName, { type: 'text/csv' })
}
