/** Runs before each test file with a DOM: a query that waits has the time of its test, not the second that is the default. */
import { configure } from '@testing-library/dom'

configure({ asyncUtilTimeout: 20_000 })
