export { createAgUiEvents } from './ag-ui/ag-ui-events.ts'
export type { AgUiEvent, AgUiMessage } from './ag-ui/ag-ui-types.ts'
