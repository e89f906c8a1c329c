import { defineTool } from '@offthread/core'
import { z } from 'zod'

export const scalar = z.union([z.string(), z.number()])

const columnSchema = z.object({
  name: z.string(),
  /** A date is ISO text: it sorts and compares as text. */
  type: z.enum(['integer', 'real', 'date', 'text']),
  /** Rows without a value. */
  empty: z.number(),
  /** Different values: exact up to 10,000, then 10,000. */
  distinct: z.number(),
  /** All values of a text column that has few. */
  values: z.array(z.string()).optional(),
  examples: z.array(scalar),
  min: scalar.optional(),
  max: scalar.optional(),
})

/** What the model and people learn about a column. */
export type ColumnProfile = z.output<typeof columnSchema>

/** The output of `load_table`. */
export const loadedTableSchema = z.object({
  table: z.string(),
  file: z.string(),
  rows: z.number(),
  bytes: z.number(),
  columns: z.array(columnSchema),
  notes: z.array(z.string()),
})

const fileName = z
  .string()
  .min(1)
  .describe('The name of a dropped file, exactly as it was attached.')

export const loadTable = defineTool({
  name: 'load_table',
  label: 'Load table',
  description:
    'Loads a file that the user dropped (CSV, TSV, JSON or NDJSON) as a table for sql_query. Finds the delimiter and the column types, and returns the table name, the row count and a profile of each column (type, missing values, distinct values, range, examples). Call it once for each file before querying it. Loading a file again replaces its table. Two tables need no file: load "synthetic orders" (200,000 made-up orders of a shop, 2023 and 2024) or "planets" (their sizes, orbits and temperatures) by that name.',
  inputSchema: z.object({
    file: fileName,
    table: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Table name for SQL. Default: derived from the file name.'),
    ragged: z
      .enum(['error', 'pad', 'skip', 'show'])
      .default('error')
      .describe(
        'What to do with rows that do not have as many fields as the header: fail; fill short ones with NULL and add columns for long ones; leave them out; or load only those, with their lines, as a table of their own.',
      ),
    delimiter: z
      .enum(['comma', 'semicolon', 'tab', 'bar'])
      .optional()
      .describe('What separates fields. Default: guessed from the file.'),
  }),
  outputSchema: loadedTableSchema,
  timeoutMs: 10 * 60_000,
})

export const sqlQuery = defineTool({
  name: 'sql_query',
  label: 'SQL query',
  description:
    'Runs one read-only SQLite query (SELECT, WITH … SELECT or VALUES) over all loaded tables, which may be joined freely, and over what this agent itself has done: events (seq, at, type, run, call, data), calls (id, run, tool, args, status, error, started_at, ended_at, queued_ms, start_ms, run_ms, result) and runs (id, started_at, ended_at, model, reason, turns, duration_ms, input_tokens, output_tokens). Quote column names that are not plain words with double quotes. Returns at most 200 rows and about 8,000 characters, with the full row count: aggregate, or use LIMIT, instead of reading whole tables.',
  inputSchema: z.object({ sql: z.string().min(1).describe('One SELECT statement in SQLite SQL.') }),
  outputSchema: z.object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    /** All rows, also those that are left out. */
    rowCount: z.number(),
    truncated: z.boolean(),
  }),
  timeoutMs: 2 * 60_000,
})

const experimentSchema = z.enum(['pi', 'birthday', 'dice'])
const oneTo = (most: number) => z.int().min(1).max(most)

export const monteCarlo = defineTool({
  name: 'monte_carlo',
  label: 'Monte Carlo',
  description:
    'Estimates a probability or number by random simulation, with its standard error. Experiments: "pi" (the number, by points in a circle), "birthday" (the chance that two of `people` share a birthday), "dice" (the chance that `dice` dice sum to `atLeast` or more). A long run is done in parts side by side: call it once for each part, all in the same turn, and add up their hits and trials.',
  inputSchema: z.object({
    experiment: experimentSchema,
    trials: oneTo(1_000_000_000)
      .default(5_000_000)
      .describe('How many random trials to run, in all parts together.'),
    parts: oneTo(8)
      .default(1)
      .describe('In how many parts. The same for all of them, as all but `part`.'),
    part: oneTo(8).default(1).describe('Which of them this call is, from 1.'),
    people: oneTo(366).default(23).describe('For "birthday": people in the room.'),
    dice: oneTo(100).default(2).describe('For "dice": how many dice are thrown.'),
    atLeast: z.int().min(0).max(600).default(7).describe('For "dice": the sum to reach.'),
    seed: z
      .int()
      .min(0)
      .max(4_294_967_295)
      .optional()
      .describe('Makes the run repeatable, in however many parts. Default: a random one.'),
  }),
  outputSchema: z.object({
    experiment: experimentSchema,
    estimate: z.number(),
    standardError: z.number(),
    trials: z.number(),
    /** How many of the trials succeeded. */
    hits: z.number(),
  }),
  timeoutMs: 10 * 60_000,
})

export const hashFile = defineTool({
  name: 'hash_file',
  label: 'Hash file',
  description:
    'Computes the checksum of a file that the user dropped, as hexadecimal text. Works for any kind and size of file.',
  inputSchema: z.object({
    file: fileName,
    algorithm: z
      .enum(['sha256', 'sha1', 'md5'])
      .default('sha256')
      .describe('sha1 and md5 only to compare with a published checksum.'),
  }),
  outputSchema: z.object({
    file: z.string(),
    bytes: z.number(),
    algorithm: z.string(),
    hash: z.string(),
  }),
  timeoutMs: 10 * 60_000,
})

export const compressFile = defineTool({
  name: 'compress_file',
  label: 'Compress file',
  description:
    'Compresses a file that the user dropped with gzip, for the user to download. Works for any kind and size of file.',
  inputSchema: z.object({ file: fileName }),
  outputSchema: z.object({
    file: z.string(),
    bytes: z.number(),
    /** The name of the compressed file. */
    name: z.string(),
    compressedBytes: z.number(),
  }),
  effects: 'none',
  timeoutMs: 10 * 60_000,
})
