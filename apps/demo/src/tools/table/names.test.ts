import { expect, test } from 'vitest'
import { toTableName, uniqueNames } from './names.ts'

test('columns keep their names, made unique and never blank', () => {
  expect(uniqueNames(['id', ' unit price ', '', 'ID', 'id', ' ', 'a"b', 'id_2'])).toEqual([
    'id',
    'unit price',
    'column_3',
    'ID_2',
    'id_3',
    'column_6',
    'a"b',
    'id_2_2',
  ])
})

test.each([
  ['sales 2024.csv', 'sales_2024'],
  ['zone1970.tab', 'zone1970'],
  ['2024.csv', 't_2024'],
  ['my-file (1).JSON', 'my_file_1'],
  ['archive.tar.csv', 'archive_tar'],
  ['order.csv', 'order_table'],
  ['sqlite_stat.csv', 't_sqlite_stat'],
  ['.csv', 'csv'],
  ['!!!.csv', 'data'],
  ['Käufe 漢.csv', 'Käufe_漢'],
  ['folder/x.csv', 'x'],
  ['Sales', 'Sales'],
])('%s becomes table %s', (file, table) => {
  expect(toTableName(file)).toBe(table)
})
