/**
 * Runs before each test file in Node: property tests always draw the same cases, so that a failure belongs to the change
 * under test. PROPERTY_SEED tries others.
 */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) })
