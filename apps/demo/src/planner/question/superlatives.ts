import type { Direction } from '../tables/request.ts'

export interface Superlative {
  readonly direction: Direction
  /** Words that a fitting column has in its name; empty when the adjective says nothing about it. */
  readonly hints: readonly string[]
  readonly wantsDate?: boolean
  /** How often something occurs. */
  readonly counts?: boolean
  /** What it means where only these hints fit: the fastest has the highest speed, or else the shortest time. */
  readonly otherwise?: Pick<Superlative, 'direction' | 'hints'>
}

const plain = (direction: Direction): Superlative => ({ direction, hints: [] })
const about = (direction: Direction, hints: string): Superlative => ({
  direction,
  hints: hints.split(' '),
})
const speedy = (direction: Direction): Superlative => ({
  ...about(direction, 'speed velocity'),
  otherwise: about(direction === 'desc' ? 'asc' : 'desc', duration),
})
const duration = 'duration time pace lap minute second elapsed hour sec mins finish ms day min'
const age = 'age year'
const mass = 'weight mass kg g gram'
const length = 'length duration stay time distance minutes long days mm cm'
const money = 'price cost amount total charge fee value'
const height = 'height altitude elevation'

/** Adjectives as people use them, in the highest degree. The comparative (`older than`) uses the same hints. */
export const superlatives: ReadonlyMap<string, Superlative> = new Map<string, Superlative>([
  ...'most highest largest biggest greatest top best maximum max'
    .split(' ')
    .map((word) => [word, plain('desc')] as const),
  ...'least fewest lowest smallest minimum min worst bottom'
    .split(' ')
    .map((word) => [word, plain('asc')] as const),
  ['oldest', { direction: 'desc', hints: ['age'] }],
  ['eldest', about('desc', age)],
  ['youngest', about('asc', age)],
  ['heaviest', about('desc', mass)],
  ['lightest', about('asc', mass)],
  ['longest', about('desc', length)],
  ['shortest', about('asc', `${length} height`)],
  ['tallest', about('desc', height)],
  ['dearest', about('desc', money)],
  ['priciest', about('desc', money)],
  ['costliest', about('desc', money)],
  ['cheapest', about('asc', money)],
  ['warmest', about('desc', 'temperature temp')],
  ['hottest', about('desc', 'temperature temp')],
  ['coldest', about('asc', 'temperature temp')],
  ...'fastest quickest swiftest speediest'
    .split(' ')
    .map((word) => [word, speedy('desc')] as const),
  ['slowest', speedy('asc')],
  ['farthest', about('desc', 'distance')],
  ['furthest', about('desc', 'distance')],
  ['nearest', about('asc', 'distance')],
  ['closest', about('asc', 'distance')],
  ['widest', about('desc', 'width')],
  ['latest', { direction: 'desc', hints: [], wantsDate: true }],
  ['newest', { direction: 'desc', hints: [], wantsDate: true }],
  ['earliest', { direction: 'asc', hints: [], wantsDate: true }],
  ['last', { direction: 'desc', hints: [], wantsDate: true }],
  ['first', { direction: 'asc', hints: [], wantsDate: true }],
  ['busiest', { direction: 'desc', hints: [], counts: true }],
  ['quietest', { direction: 'asc', hints: [], counts: true }],
  ['commonest', { direction: 'desc', hints: [], counts: true }],
  ['rarest', { direction: 'asc', hints: [], counts: true }],
])

/** After `most` or `least`. */
export const adjectives: ReadonlyMap<string, Omit<Superlative, 'direction'>> = new Map<
  string,
  Omit<Superlative, 'direction'>
>([
  ['expensive', { hints: money.split(' ') }],
  ['costly', { hints: money.split(' ') }],
  ['valuable', { hints: money.split(' ') }],
  ['recent', { hints: [], wantsDate: true }],
  ...'common popular frequent often frequently commonly ordered used usual'
    .split(' ')
    .map((word) => [word, { hints: [], counts: true }] as const),
])

/** `older than 65`: the hints of the adjective, and whether the larger or the smaller side is meant. */
export const comparatives: ReadonlyMap<string, Superlative> = new Map<string, Superlative>([
  ...[...superlatives].flatMap(([word, meaning]) =>
    word.endsWith('est') ? [[word.replace(/est$/, 'er'), meaning] as const] : [],
  ),
  ['later', { direction: 'desc', hints: [], wantsDate: true }],
  ['more', plain('desc')],
  ['greater', plain('desc')],
  ['higher', plain('desc')],
  ['bigger', plain('desc')],
  ['larger', plain('desc')],
  ['less', plain('asc')],
  ['fewer', plain('asc')],
  ['lower', plain('asc')],
  ['smaller', plain('asc')],
])
