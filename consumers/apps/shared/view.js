import { useAgent } from '@offthread/react'
import { createElement, useEffect } from 'react'
import { agent } from './agent.js'
import { runScenario } from './scenario.js'

/** Shows the number of messages, and offers the scenario to the script that drives the page. */
export function View() {
  const { messages, status } = useAgent(agent)
  useEffect(() => {
    globalThis.runScenario = () => runScenario(agent)
  }, [])
  return createElement('output', null, `${messages.length} messages, ${status}`)
}
