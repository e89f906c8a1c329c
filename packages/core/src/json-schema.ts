export { jsonSchema } from './tools/json-schema.ts'
