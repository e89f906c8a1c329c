import { agent } from './src/agent.js'
import { runScenario } from './src/scenario.js'

globalThis.runScenario = () => runScenario(agent)
