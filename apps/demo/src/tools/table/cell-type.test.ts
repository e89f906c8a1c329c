import { expect, test } from 'vitest'
import { typeOfText, typeOfValue } from './cell-type.ts'

test.each([
  '0',
  '7',
  '-7',
  '42',
  ' 42 ',
  '-0',
  '999999999999999',
  '9007199254740991',
  '-9007199254740991',
])('%j is an integer', (text) => {
  expect(typeOfText(text)).toBe('integer')
})

test.each([
  '0.5',
  '-0.5',
  '1.0',
  '.5',
  '-.5',
  '3.14159',
  '1.5e3',
  '1.5E-3',
  '1e+21',
  '1e-7',
  '-2.5e+10',
  '0.1',
  '123456789.123456789',
  '12345678901234567890.5',
  '0.30000000000000004',
  ' 1.25 ',
  '179769.3e99',
  '5.0e-99',
])('%j is a real number', (text) => {
  expect(typeOfText(text)).toBe('real')
})

test.each(['2024-01-31', '1999-12-01T23:59', '2024-01-31 10:00:00.5', '2024-01-31T10:00:00+02:00'])(
  '%j is a date',
  (text) => {
    expect(typeOfText(text)).toBe('date')
    expect(typeOfValue(text)).toBe('date')
  },
)

test.each([
  'a',
  '-',
  '+5',
  '+49',
  '007',
  '-007',
  '00',
  '00.5',
  '1,000',
  '1 000',
  '1.000.000',
  '5.',
  '.',
  '-.',
  '1e5',
  '12E4',
  '1e',
  '1.5e',
  '1.5e+',
  '1.5e400',
  '1e+999',
  '0x10',
  'NaN',
  'Infinity',
  '-Infinity',
  '1_000',
  '2024-13-31',
  '2024-01-32',
  '2024-1-3',
  '2024-01',
  '2024-01-31 10',
  '31.01.2024',
  ' 2024-01-31',
  '12:30',
  '1.2.3',
  '--1',
  '1-',
  '1.-5',
  'e5',
  '.e+5',
  '9007199254740992',
  '12345678901234567890',
  '5%',
  '$5',
  '٣',
  '1\u00a0',
])('%j stays text', (text) => {
  expect(typeOfText(text)).toBe('text')
})

test('JSON says itself what is a number', () => {
  expect([7, -0, 2.5, 2 ** 53, '7', ''].map(typeOfValue)).toEqual([
    'integer',
    'integer',
    'real',
    'real',
    'text',
    'text',
  ])
})
