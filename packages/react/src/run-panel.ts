export {
  type PanelTarget,
  type Replayed,
  RunPanel,
  type RunPanelProps,
} from './run-panel/run-panel.tsx'
export { runPanelStyles } from './run-panel/styles.ts'
