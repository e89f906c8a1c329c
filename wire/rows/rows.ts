import { contentRows } from './content.ts'
import { requestRows } from './requests.ts'
import { responseRows } from './responses.ts'
import type { Row } from './row.ts'
import { streamRows } from './streams.ts'

/** Every fault that a server can cause. */
export const rows: readonly Row[] = [...requestRows, ...responseRows, ...streamRows, ...contentRows]
