export { alsoOffline } from './offline/also-offline.ts'
