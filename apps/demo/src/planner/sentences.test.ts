import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  bottom,
  count,
  distinct,
  groups,
  max,
  mean,
  median,
  min,
  round,
  share,
  sum,
  top,
} from './fixtures/array-sums.fixtures.ts'
import type { Expected } from './fixtures/find-missing.fixtures.ts'
import { findExtra, findMissing } from './fixtures/find-missing.fixtures.ts'
import { admissions, birds, orders } from './fixtures/tables.fixtures.ts'
import { startTalk } from './loop.fixtures.ts'

// The rules were written against other tables. Every expected number is computed here over plain arrays.
const fixture = (name: string): string =>
  readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')
const files = {
  'hospital_admissions.csv': fixture('hospital_admissions.csv'),
  'coffee-orders.json': fixture('coffee-orders.json'),
  'bird-ringing.tsv': fixture('bird-ringing.tsv'),
}

type Case = readonly [sentence: string, expected: () => readonly Expected[]]

const hospital: readonly Case[] = [
  ['How many admissions are in the file?', () => [admissions.length]],
  ['how many emergency admissions were there', () => [count(admissions, (row) => row.emergency)]],
  [
    'Number of admissions to Cardiology?',
    () => [count(admissions, (row) => row.ward === 'Cardiology')],
  ],
  ["What's the average length of stay?", () => [mean(admissions, (row) => row.stay)]],
  [
    'mean cost per ward',
    () =>
      groups(
        admissions,
        (row) => row.ward,
        (rows) => mean(rows, (row) => row.cost),
      ),
  ],
  [
    'Total cost of all admissions in 2024, please',
    () => [
      sum(
        admissions.filter((row) => row.admitted >= '2024'),
        (row) => row.cost,
      ),
    ],
  ],
  [
    'which ward had the most admissions?',
    () => [
      top(
        admissions,
        (row) => row.ward,
        (rows) => rows.length,
      ),
    ],
  ],
  ['How old was the oldest patient?', () => [max(admissions, (row) => row.age)]],
  [
    'how many patients were over 80',
    () => [
      distinct(
        admissions.filter((row) => row.age > 80),
        (row) => row.patient,
      ),
    ],
  ],
  [
    'How many women were admitted to Neurology?',
    () => [count(admissions, (row) => row.sex === 'F' && row.ward === 'Neurology')],
  ],
  [
    'median age of male patients',
    () => [
      median(
        admissions.filter((row) => row.sex === 'M'),
        (row) => row.age,
      ),
    ],
  ],
  [
    'Which consultant had the longest average stay?',
    () => [
      top(
        admissions,
        (row) => row.consultant,
        (rows) => mean(rows, (row) => row.stay),
      ),
    ],
  ],
  [
    'how many people are still in hospital, i.e. have no discharge date?',
    () => [count(admissions, (row) => row.discharged === undefined)],
  ],
  [
    'admissions per month in 2023',
    () =>
      groups(
        admissions.filter((row) => row.admitted < '2024'),
        (row) => row.admitted.slice(0, 7),
        (rows) => rows.length,
      ),
  ],
  [
    'What percentage of admissions were emergencies?',
    () => [share(admissions, (row) => row.emergency)],
  ],
  [
    'how many stays lasted between 5 and 10 days?',
    () => [count(admissions, (row) => row.stay !== undefined && row.stay >= 5 && row.stay <= 10)],
  ],
  [
    'How many admissions were for stroke and how many for sepsis?',
    () => [
      count(admissions, (row) => row.diagnosis === 'Stroke'),
      count(admissions, (row) => row.diagnosis === 'Sepsis'),
    ],
  ],
  [
    'give me the 3 most expensive admissions',
    () =>
      [...admissions]
        .sort((a, b) => b.cost - a.cost)
        .slice(0, 3)
        .map((row) => row.cost),
  ],
  [
    'avg cost of an emergency admission vs a non-emergency one',
    () => [
      mean(
        admissions.filter((row) => row.emergency),
        (row) => row.cost,
      ),
    ],
  ],
  ['how many different diagnoses do we see?', () => [distinct(admissions, (row) => row.diagnosis)]],
  [
    'Whats the higest cost for a fracture',
    () => [
      max(
        admissions.filter((row) => row.diagnosis === 'Fracture'),
        (row) => row.cost,
      ),
    ],
  ],
  [
    'break down the number of admissions by sex',
    () =>
      groups(
        admissions,
        (row) => row.sex,
        (rows) => rows.length,
      ),
  ],
  [
    'How many admissions had no referral source?',
    () => [count(admissions, (row) => row.referral === undefined)],
  ],
  [
    'which diagnoses have more than 25 admissions',
    () =>
      groups(
        admissions,
        (row) => row.diagnosis,
        (rows) => rows.length,
      ).filter(([, value]) => value > 25),
  ],
  [
    'how many under-18s were admitted since June 2024',
    () => [count(admissions, (row) => row.age < 18 && row.admitted >= '2024-06-01')],
  ],
  [
    'What is the total cost for Dr Brandt, and what is the average age of his patients?',
    () => [
      sum(
        admissions.filter((row) => row.consultant === 'Dr Brandt'),
        (row) => row.cost,
      ),
      mean(
        admissions.filter((row) => row.consultant === 'Dr Brandt'),
        (row) => row.age,
      ),
    ],
  ],
  [
    'I need the sum of costs for each diagnosis',
    () =>
      groups(
        admissions,
        (row) => row.diagnosis,
        (rows) => sum(rows, (row) => row.cost),
      ),
  ],
  [
    'Who is the consultant with the fewest admissions?',
    () => [
      bottom(
        admissions,
        (row) => row.consultant,
        (rows) => rows.length,
      ),
    ],
  ],
  [
    'admissions longer than three weeks... sorry, more than 21 days: how many?',
    () => [count(admissions, (row) => (row.stay ?? 0) > 21)],
  ],
  [
    'For Orthopaedics, what are the shortest and the longest stay?',
    () => [
      min(
        admissions.filter((row) => row.ward === 'Orthopaedics'),
        (row) => row.stay,
      ),
      max(
        admissions.filter((row) => row.ward === 'Orthopaedics'),
        (row) => row.stay,
      ),
    ],
  ],
  [
    'How many people came by ambulance in 2023 and how many in 2024?',
    () => [
      count(admissions, (row) => row.referral === 'Ambulance' && row.admitted < '2024'),
      count(admissions, (row) => row.referral === 'Ambulance' && row.admitted >= '2024'),
    ],
  ],
  [
    'On average, how old are the patients in each ward?',
    () =>
      groups(
        admissions,
        (row) => row.ward,
        (rows) => mean(rows, (row) => row.age),
      ),
  ],
  [
    'count the pneumonia cases excluding Cardiology',
    () => [count(admissions, (row) => row.diagnosis === 'Pneumonia' && row.ward !== 'Cardiology')],
  ],
  [
    'average stay and average cost by sex',
    () => [
      ...groups(
        admissions,
        (row) => row.sex,
        (rows) => mean(rows, (row) => row.stay),
      ),
      ...groups(
        admissions,
        (row) => row.sex,
        (rows) => mean(rows, (row) => row.cost),
      ),
    ],
  ],
  [
    'Show me how many admissions each consultant had, and the total number of admissions.',
    () => [
      ...groups(
        admissions,
        (row) => row.consultant,
        (rows) => rows.length,
      ),
      admissions.length,
    ],
  ],
  [
    'In which ward do patients stay longest on average?',
    () => [
      top(
        admissions,
        (row) => row.ward,
        (rows) => mean(rows, (row) => row.stay),
      ),
    ],
  ],
]

const coffee: readonly Case[] = [
  ['How many orders have we had?', () => [orders.length]],
  [
    'how many cappuccinos did we sell in York',
    () => [
      sum(
        orders.filter((row) => row.drink === 'Cappuccino' && row.shop === 'York'),
        (row) => row.qty,
      ),
    ],
  ],
  [
    "What's our revenue per shop?",
    () =>
      groups(
        orders,
        (row) => row.shop,
        (rows) => sum(rows, (row) => row.qty * row.price),
      ),
  ],
  [
    'Which drink is the most popular?',
    () => [
      top(
        orders,
        (row) => row.drink,
        (rows) => rows.length,
      ),
    ],
  ],
  [
    'top 5 customers by number of orders',
    () => [
      top(
        orders,
        (row) => row.customer,
        (rows) => rows.length,
      ),
    ],
  ],
  ['average tip', () => [mean(orders, (row) => row.tip)]],
  ['how many orders were paid in cash?', () => [count(orders, (row) => row.payment === 'cash')]],
  [
    'Orders by payment method',
    () =>
      groups(
        orders,
        (row) => row.payment,
        (rows) => rows.length,
      ),
  ],
  [
    'how many orders did loyalty members place at the Leeds shop',
    () => [count(orders, (row) => row.loyal && row.shop === 'Leeds')],
  ],
  [
    'Total quantity of large lattes',
    () => [
      sum(
        orders.filter((row) => row.size === 'large' && row.drink === 'Latte'),
        (row) => row.qty,
      ),
    ],
  ],
  [
    'what was the biggest tip, and who gave the most in tips altogether?',
    () => [
      max(orders, (row) => row.tip),
      top(
        orders,
        (row) => row.customer,
        (rows) => sum(rows, (row) => row.tip),
      ),
    ],
  ],
  [
    'How many orders were placed in March?',
    () => [count(orders, (row) => row.placed.slice(5, 7) === '03')],
  ],
  [
    'number of orders per month',
    () =>
      groups(
        orders,
        (row) => row.placed.slice(0, 7),
        (rows) => rows.length,
      ),
  ],
  ['how many customers are there in total', () => [distinct(orders, (row) => row.customer)]],
  [
    'how many orders did Grace Kelly make?',
    () => [count(orders, (row) => row.customer === 'Grace Kelly')],
  ],
  ['orders with a quantity of at least 4: how many?', () => [count(orders, (row) => row.qty >= 4)]],
  [
    "what's the cheapest unit price and what's the dearest?",
    () => [min(orders, (row) => row.price), max(orders, (row) => row.price)],
  ],
  ['What share of orders came from Hull?', () => [share(orders, (row) => row.shop === 'Hull')]],
  [
    'mean and median unit price of mochas',
    () => [
      mean(
        orders.filter((row) => row.drink === 'Mocha'),
        (row) => row.price,
      ),
      median(
        orders.filter((row) => row.drink === 'Mocha'),
        (row) => row.price,
      ),
    ],
  ],
  [
    'Compare Leeds and Sheffield: number of orders',
    () =>
      groups(
        orders.filter((row) => row.shop === 'Leeds' || row.shop === 'Sheffield'),
        (row) => row.shop,
        (rows) => rows.length,
      ),
  ],
  ["how many orders weren't paid by card", () => [count(orders, (row) => row.payment !== 'card')]],
  [
    'which shop sold the fewest units?',
    () => [
      bottom(
        orders,
        (row) => row.shop,
        (rows) => sum(rows, (row) => row.qty),
      ),
    ],
  ],
  [
    'How many flat whites or espressos were ordered before April 2024, counting orders',
    () => [
      count(
        orders,
        (row) => (row.drink === 'Flat White' || row.drink === 'Espresso') && row.placed < '2024-04',
      ),
    ],
  ],
  [
    'average quantity for each cup size',
    () =>
      groups(
        orders,
        (row) => row.size,
        (rows) => mean(rows, (row) => row.qty),
      ),
  ],
  ['orders without a tip?', () => [count(orders, (row) => row.tip === undefined)]],
  [
    'Which month brought the most revenue?',
    () => [
      top(
        orders,
        (row) => row.placed.slice(0, 7),
        (rows) => sum(rows, (row) => row.qty * row.price),
      ),
    ],
  ],
  [
    'how much did Omar Haddad tip in total?',
    () => [
      sum(
        orders.filter((row) => row.customer === 'Omar Haddad'),
        (row) => row.tip,
      ),
    ],
  ],
  [
    'how many medium hot chocolates were sold at the Hull store?',
    () => [
      sum(
        orders.filter(
          (row) => row.size === 'medium' && row.drink === 'Hot Chocolate' && row.shop === 'Hull',
        ),
        (row) => row.qty,
      ),
    ],
  ],
  [
    'Average unit price by drink, best first',
    () =>
      groups(
        orders,
        (row) => row.drink,
        (rows) => mean(rows, (row) => row.price),
      ),
  ],
  [
    'number of orders with a tip above 2 pounds; number of voucher orders',
    () => [
      count(orders, (row) => (row.tip ?? 0) > 2),
      count(orders, (row) => row.payment === 'voucher'),
    ],
  ],
  [
    'how many customers ordered more than 8 times',
    () => [
      groups(
        orders,
        (row) => row.customer,
        (rows) => rows.length,
      ).filter(([, value]) => value > 8).length,
    ],
  ],
  ['How many orders did non-members place?', () => [count(orders, (row) => !row.loyal)]],
  [
    'how many large orders with card in York and how many in Hull?',
    () => [
      count(orders, (row) => row.size === 'large' && row.payment === 'card' && row.shop === 'York'),
      count(orders, (row) => row.size === 'large' && row.payment === 'card' && row.shop === 'Hull'),
    ],
  ],
  [
    'Sales per drink, lowest first',
    () =>
      groups(
        orders,
        (row) => row.drink,
        (rows) => sum(rows, (row) => row.qty * row.price),
      ),
  ],
  [
    'how many orders came in on weekends?',
    () => [count(orders, (row) => [0, 6].includes(new Date(`${row.placed}Z`).getUTCDay()))],
  ],
]

const ringing: readonly Case[] = [
  ['how many birds were ringed', () => [birds.length]],
  [
    'How many robins were caught at Reedmere?',
    () => [count(birds, (row) => row.species === 'Robin' && row.site === 'Reedmere')],
  ],
  [
    'average wing length per species',
    () =>
      groups(
        birds,
        (row) => row.species,
        (rows) => mean(rows, (row) => row.wing),
      ),
  ],
  [
    'What did the heaviest blackbird weigh?',
    () => [
      max(
        birds.filter((row) => row.species === 'Blackbird'),
        (row) => row.mass,
      ),
    ],
  ],
  [
    'how many blue tits and how many great tits',
    () => [
      count(birds, (row) => row.species === 'Blue Tit'),
      count(birds, (row) => row.species === 'Great Tit'),
    ],
  ],
  [
    'which ringer ringed the most birds?',
    () => [
      top(
        birds,
        (row) => row.ringer,
        (rows) => rows.length,
      ),
    ],
  ],
  [
    'number of birds by site and age class',
    () =>
      groups(
        birds,
        (row) => `${row.site} | ${row.age}`,
        (rows) => rows.length,
      ),
  ],
  [
    'how many juveniles in 2022',
    () => [count(birds, (row) => row.age === 'Juvenile' && row.date.startsWith('2022'))],
  ],
  [
    'mean body mass of female chaffinches',
    () => [
      mean(
        birds.filter((row) => row.sex === 'female' && row.species === 'Chaffinch'),
        (row) => row.mass,
      ),
    ],
  ],
  ['How many birds have a fat score of 5 or more?', () => [count(birds, (row) => row.fat >= 5)]],
  [
    'the four birds with the longest wings',
    () =>
      [...birds]
        .sort((a, b) => b.wing - a.wing)
        .slice(0, 4)
        .map((row) => row.wing),
  ],
  ['How many species were recorded?', () => [distinct(birds, (row) => row.species)]],
  [
    'birds heavier than 100 grams, how many',
    () => [count(birds, (row) => row.mass !== undefined && row.mass > 100)],
  ],
  [
    'how many birds per year',
    () =>
      groups(
        birds,
        (row) => row.date.slice(0, 4),
        (rows) => rows.length,
      ),
  ],
  [
    'How many birds were not weighed, that is, body mass is missing?',
    () => [count(birds, (row) => row.mass === undefined)],
  ],
  [
    'minimum, maximum and average fat score',
    () => [
      min(birds, (row) => row.fat),
      max(birds, (row) => row.fat),
      mean(birds, (row) => row.fat),
    ],
  ],
  [
    'how many remarks mention "wing"',
    () => [count(birds, (row) => row.remarks?.includes('wing') ?? false)],
  ],
  [
    'how many adult wrens did J. Teal ring?',
    () => [
      count(
        birds,
        (row) => row.age === 'Adult' && row.species === 'Wren' && row.ringer === 'J. Teal',
      ),
    ],
  ],
  ['What proportion of the birds were adults?', () => [share(birds, (row) => row.age === 'Adult')]],
  [
    'what is the avrage mass of a wren, and what is the average mass of a robin?',
    () => [
      mean(
        birds.filter((row) => row.species === 'Wren'),
        (row) => row.mass,
      ),
      mean(
        birds.filter((row) => row.species === 'Robin'),
        (row) => row.mass,
      ),
    ],
  ],
  [
    'At which site were the fewest birds ringed?',
    () => [
      bottom(
        birds,
        (row) => row.site,
        (rows) => rows.length,
      ),
    ],
  ],
  ['birds ringed after 1 August 2023?', () => [count(birds, (row) => row.date > '2023-08-01')]],
  [
    'How many retraps are noted in the remarks?',
    () => [count(birds, (row) => row.remarks === 'retrap')],
  ],
  [
    'which species has the lowest median wing length',
    () => [
      bottom(
        birds,
        (row) => row.species,
        (rows) => median(rows, (row) => row.wing),
      ),
    ],
  ],
  [
    'Wing length of the smallest robin?',
    () => [
      min(
        birds.filter((row) => row.species === 'Robin'),
        (row) => row.wing,
      ),
    ],
  ],
  [
    'tell me the mean weight of the birds at each site',
    () =>
      groups(
        birds,
        (row) => row.site,
        (rows) => mean(rows, (row) => row.mass),
      ),
  ],
  ['How many birds of unknown sex are there?', () => [count(birds, (row) => row.sex === '')]],
  [
    'most common species at Saltmarsh Point',
    () => [
      top(
        birds.filter((row) => row.site === 'Saltmarsh Point'),
        (row) => row.species,
        (rows) => rows.length,
      ),
    ],
  ],
  [
    'Number of males and number of females',
    () => [count(birds, (row) => row.sex === 'male'), count(birds, (row) => row.sex === 'female')],
  ],
  [
    'how many birds did each ringer handle in 2023',
    () =>
      groups(
        birds.filter((row) => row.date >= '2023'),
        (row) => row.ringer,
        (rows) => rows.length,
      ),
  ],
  [
    'in which year were the most wrens caught',
    () => [
      top(
        birds.filter((row) => row.species === 'Wren'),
        (row) => row.date.slice(0, 4),
        (rows) => rows.length,
      ),
    ],
  ],
  ['birds in 2021 and 2022, how many were there', () => [count(birds, (row) => row.date < '2023')]],
  [
    'How many wrens weigh less than 9 g?',
    () => [count(birds, (row) => row.species === 'Wren' && row.mass !== undefined && row.mass < 9)],
  ],
  [
    'rank the ringers by mean fat score',
    () =>
      groups(
        birds,
        (row) => row.ringer,
        (rows) => mean(rows, (row) => row.fat),
      ),
  ],
  [
    'how many birds were caught in May or June 2023',
    () => [count(birds, (row) => row.date.startsWith('2023-05') || row.date.startsWith('2023-06'))],
  ],
]

const tables = [
  ['hospital_admissions.csv', hospital],
  ['coffee-orders.json', coffee],
  ['bird-ringing.tsv', ringing],
] as const

for (const [file, cases] of tables) {
  describe(`answers free wording about ${file}`, () => {
    test.for(cases)('%s', async ([sentence, expected]) => {
      const said = await startTalk(files).ask(sentence, [file])

      expect(findMissing(said.text, expected()), said.text).toEqual([])
      expect(findExtra(said.text, expected()), said.text).toEqual([])
    })
  })
}

test('the sentences are many and their numbers are not trivial', () => {
  const cases = [...hospital, ...coffee, ...ringing]

  expect(cases.length).toBeGreaterThanOrEqual(60)
  for (const [sentence, expected] of cases) expect(expected().length, sentence).toBeGreaterThan(0)
  expect(round(1.005)).toBeCloseTo(1.01)
})
