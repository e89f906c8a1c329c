// Modules that the guides import and this app does not have.
declare module '*.css'
declare module '@mlc-ai/web-llm'
declare module '@nats-io/nats-core'
declare module '@surma/rollup-plugin-off-main-thread'
declare module 'vite'
