import { createRandom, type Random } from '../experiments.ts'

export const orderColumns = [
  { name: 'id', type: 'integer' },
  { name: 'ordered_on', type: 'date' },
  { name: 'customer_id', type: 'integer' },
  { name: 'country', type: 'text' },
  { name: 'category', type: 'text' },
  { name: 'channel', type: 'text' },
  { name: 'revenue', type: 'real' },
  { name: 'quantity', type: 'integer' },
  { name: 'status', type: 'text' },
] as const

export const orderCount = 200_000
const customers = 20_000
const days = 731
const firstDay = Date.UTC(2023, 0, 1)

// Each name with how often it comes up.
const countries =
  'Germany 24, France 18, Italy 14, Spain 12, Poland 9, Sweden 7, Portugal 5, Norway 4'
const categories = 'Books 26, Kitchen 21, Toys 18, Sports 15, Garden 12, Music 8'
const channels = 'web 60, app 31, shop 9'
const statuses = 'delivered 91, returned 6, cancelled 3'
const prices = new Map(
  Object.entries({ Books: 18, Garden: 42, Kitchen: 35, Music: 24, Sports: 58, Toys: 27 }),
)

/** Orders of a shop that does not exist, day by day. A seed gives the same ones everywhere. */
export function* makeOrders(seed: number) {
  const random = createRandom(seed)
  const pickCountry = createPick(countries, random)
  const pickCategory = createPick(categories, random)
  const pickChannel = createPick(channels, random)
  const pickStatus = createPick(statuses, random)
  const weights = Array.from({ length: days }, (_, day) => weightOf(day))
  const all = weights.reduce((sum, weight) => sum + weight)
  let before = 0
  let made = 0
  for (const [day, weight] of weights.entries()) {
    before += weight
    const date = dateOf(day).toISOString().slice(0, 10)
    const rows: (string | number)[][] = []
    for (const due = Math.round((before / all) * orderCount); made < due; made++) {
      const category = pickCategory()
      // A product of two random numbers makes small results most likely, and gives the same ones in all browsers, which
      // powers may not.
      const quantity = 1 + Math.floor(random() * random() * 6)
      const price = (prices.get(category) ?? 0) * (0.6 + 0.8 * random())
      const customer = 1 + Math.floor(random() * random() * customers)
      rows.push([
        ...[made + 1, date, customer, pickCountry(), category, pickChannel()],
        ...[Math.round(price * quantity * 100) / 100, quantity, pickStatus()],
      ])
    }
    yield rows
  }
}

/** More from year to year, before Christmas and on Mondays. */
function weightOf(day: number): number {
  const date = dateOf(day)
  const growth = 1 + day / days / 2
  const season = [0.9, 0.85, 0.95, 1, 1, 0.95, 0.85, 0.8, 1, 1.1, 1.4, 1.7][date.getUTCMonth()] ?? 1
  return growth * season * (date.getUTCDay() === 1 ? 1.2 : 1)
}

function dateOf(day: number): Date {
  return new Date(firstDay + day * 86_400_000)
}

function createPick(odds: string, random: Random): () => string {
  const names = odds.split(', ').flatMap((one) => {
    const [name = '', often] = one.split(' ')
    return new Array<string>(Number(often)).fill(name)
  })
  return () => names[Math.floor(random() * names.length)] ?? ''
}
