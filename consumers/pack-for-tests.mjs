import { packInto, tarballsIn } from './pack.mjs'

/** `npm run pack`: builds the packages and packs them once, for all gates of `npm test` that use them. */
const folder = process.env['PACKED'] ?? '.reports/packed'
await packInto(folder)
console.log(Object.values(tarballsIn(folder)).join('\n'))
