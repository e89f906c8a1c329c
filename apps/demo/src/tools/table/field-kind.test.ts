import { expect, test } from 'vitest'
import { createRandom } from '../random.ts'
import { bytesOf } from '../tools.fixtures.ts'
import { fieldKind, kindOf, numberOf } from './field-kind.ts'

test.each(['', ' ', '   '])('%j is no value', (text) => {
  expect(kind(text)).toBe(fieldKind.empty)
})

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
  expect(kind(text)).toBe(fieldKind.integer)
  expect(value(text)).toBe(Number(text))
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
  expect(kind(text)).toBe(fieldKind.real)
  expect(value(text)).toBe(Number(text))
})

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
  '2024-01-31',
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
  expect(kind(text)).toBe(fieldKind.text)
})

test('numbers are read as Number() reads them', () => {
  const random = createRandom(2)
  for (let round = 0; round < 20_000; round++) {
    const number = (random() - 0.5) * 10 ** Math.floor(random() * 30 - 12)
    const text = random() < 0.5 ? String(number) : number.toFixed(Math.floor(random() * 12))
    if (kind(text) === fieldKind.text) continue
    expect(value(text)).toBe(Number(text))
  }
})

test('looks only at its own range', () => {
  const bytes = bytesOf('x12,3.5y')
  expect(kindOf(bytes, 1, 3)).toBe(fieldKind.integer)
  expect(numberOf(bytes, 1, 3)).toBe(12)
  expect(kindOf(bytes, 4, 7)).toBe(fieldKind.real)
  expect(numberOf(bytes, 4, 7)).toBe(3.5)
})

function kind(text: string): number {
  const bytes = bytesOf(text)
  return kindOf(bytes, 0, bytes.length)
}

function value(text: string): number {
  const bytes = bytesOf(text)
  return numberOf(bytes, 0, bytes.length)
}
