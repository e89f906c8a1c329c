export { alsoOffline } from './storage/offline/also-offline.ts'
