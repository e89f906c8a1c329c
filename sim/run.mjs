import { bundle } from './bundle.mjs'

await import(await bundle('main.ts'))
