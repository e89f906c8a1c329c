import { expect, test } from 'vitest'
import { startTalk } from './talk.fixtures.ts'

const customers = `customer,country,grade,newsletter,discount,returned,state,signed_up,orders,spent
Ann,US,A,yes,0,no,on,2024-01-05,5,100.5
Bob,US,B,no,0,yes,off,2024-02-06,3,40
Cy,IN,A,yes,10,no,on,2024-02-07,2,15
Dee,AT,C,no,0,yes,on,2023-12-01,7,300
Eve,IN,B,no,5,no,off,2023-11-11,1,9.9
Fay,MY,A,yes,0,yes,off,2024-03-01,4,77
`
const customersFile = { 'customers.csv': customers }
const monthly = [101, 103, 104, 107, 109, 110, 112, 113, 114, 115, 116, 117].map(
  (visitors, month) => `2024-${String(month + 1).padStart(2, '0')},${visitors},${month % 2}`,
)
const visitsFile = { 'traffic.csv': `month,visitors,rain\n${monthly.join('\n')}\n` }
const many = Array.from({ length: 40 }, (_, at) => `c${at},X${at}`).join('\n')
const shipsFile = { 'ships.csv': `ship,country\n${many}\nOak,US\nElm,US\n` }

test.for([
  ['How many customers are in the US?', 'number of rows where country is US', '**2**'],
  ['how many customers in us', 'number of rows where country is US', '**2**'],
  ['total spent in US', 'sum of spent where country is US', '**140.5**'],
  ['average spent in AT', 'mean of spent where country is AT', '**300**'],
  ['How many customers are in IN?', 'number of rows where country is IN', '**2**'],
  ['how many customers with state on', 'number of rows where state is on', '**3**'],
  ['how many customers have grade A', 'number of rows where grade is A', '**3**'],
  ['give us the total spent', 'sum of spent', '**542.4**'],
  [
    'how many customers signed up in 2024',
    'number of rows where year of signed_up is 2024',
    '**4**',
  ],
] as const)('takes a value for a value in “%s”', async ([question, reading, answer]) => {
  const { text } = await startTalk().ask(question, customersFile)

  expect(text).toContain(`I read this as: \`${reading}\``)
  expect(text).toContain(answer)
})

test.for([
  ['how many customers are on', 'number of rows where state is on', '**3**'],
  ['how many A customers are there', 'number of rows where grade is A', '**3**'],
  ['average spent for A', 'mean of spent where grade is A', '**64.17**'],
  ['how many returned customers', 'number of rows where returned is yes', '**3**'],
  ['how many customers without newsletter', 'number of rows where newsletter is no', '**3**'],
  ['how many customers with no discount', 'number of rows where discount is 0', '**4**'],
  ['who has the highest spent', 'top 1 customer by max of spent', '| Dee | 300 |'],
  ['how many months', 'number of rows by month of signed_up', '| 2024-02 | 2 |'],
] as const)('does not answer “%s”, and offers what is meant', async ([question, near, answer]) => {
  const talk = startTalk()
  const { text, buttons } = await talk.ask(question, customersFile)

  expect(text).not.toContain('I read this as')
  expect(buttons).toContain(near)
  expect((await talk.ask(near)).text).toContain(answer)
})

test.for([
  ['how many visitors', 'sum of visitors'],
  ['number of visitors per month', 'sum of visitors by month'],
  ['which month has the most visitors', 'top 1 month by sum of visitors'],
] as const)('takes no amount for the number of a row: “%s”', async ([question, near]) => {
  const { text, buttons } = await startTalk().ask(question, visitsFile)

  expect(text).not.toContain('I read this as')
  expect(buttons).toContain(near)
})

test.for(['How many ships in the US?', 'how many ships in us'])(
  'leaves out no word that may be a value which is not listed: “%s”',
  async (question) => {
    const { text } = await startTalk().ask(question, shipsFile)

    expect(text).not.toContain('I read this as')
  },
)

const staff = `employee,department,salary,remote,manager
Ann,IT,5000,yes,Zed
Bob,HR,4000,no,Zed
Cid,IT,6000,no,Ann
`

test.for([
  ['salary of Ann', 'sum of "salary" where "employee" is "Ann"', '**5,000**'],
  ['number in IT not remote', 'number of rows where department is IT and remote is no', '**1**'],
  ['salary not over 5000', 'sum of salary where salary at most 5000', '**9,000**'],
  ['list remote employees', 'list rows where remote is yes', '| Ann | IT |'],
  ['list remote', 'list rows where remote is yes', '| Ann | IT |'],
  ['salary over 5 thousand', 'number of rows where salary over 5000', '**1**'],
  ['largest employee by salary', 'top 1 employee by max of salary', '| Cid | 6,000 |'],
] as const)('offers for “%s” what is meant', async ([question, near, answer]) => {
  const talk = startTalk()
  const { text, buttons } = await talk.ask(question, { 'employees.csv': staff })

  expect(text).not.toContain('I read this as')
  expect(buttons).toContain(near)
  expect((await talk.ask(near)).text).toContain(answer)
})

test('says how it reads a question whose column is called like the table', async () => {
  const file = { 'employees.csv': staff }
  const { text } = await startTalk().ask('who is the manager of Ann', file)

  expect(text).toContain('`number of rows by "manager" where "employee" is "Ann"`')
})

test('offers rows as well where a word is only like a column', async () => {
  const file = 'id,quantity,ordered_on\n1,5,2024-01-03\n2,2,2024-01-09\n'

  const { buttons } = await startTalk().ask('orders with quantity over 3', { 'shop.csv': file })

  expect(buttons[0]).toBe('number of rows where quantity over 3')
})

test('reads a span between two dates', async () => {
  const { text } = await startTalk().ask(
    'how many customers between 2024-01-05 and 2024-02-06',
    customersFile,
  )

  expect(text).toContain('**2**')
})

test.for(['how many customers after 2024 and in 2024 and in 2023', 'list customers named Bob'])(
  'offers questions to “%s”',
  async (question) => {
    const { buttons } = await startTalk().ask(question, customersFile)

    expect(buttons).toHaveLength(3)
    for (const button of buttons) expect(button).not.toContain('`')
  },
)
