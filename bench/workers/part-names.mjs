/** What `npm run bench:workers` measures, in this order. */
export const partNames = /** @type {const} */ ([
  'dispatch',
  'pre-spawn',
  'results',
  'updates',
  'flood',
  'kill',
  'slots',
])
