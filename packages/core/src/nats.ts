export type { NatsConnection } from './storage/nats/connection.ts'
export type { NatsOptions } from './storage/nats/nats.ts'
export { nats } from './storage/nats/nats.ts'
