export type { BrokerErrorCode } from './broker-error.ts'
export { BrokerError } from './broker-error.ts'
export type { BrokeredFetchOptions } from './brokered-fetch.ts'
export { brokeredFetch } from './brokered-fetch.ts'
