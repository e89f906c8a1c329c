export type { NatsConnection } from './connection.ts'
export type { NatsOptions } from './nats.ts'
export { nats } from './nats.ts'
